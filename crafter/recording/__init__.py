"""The files that `crafter.recorder` writes: how they come to be, and how to read them.

Contents:

- `crafter.recording.episode`: the files of one episode, from reset to their names.
- `crafter.recording.transitions` and `crafter.recording.video`: npz and mp4 files.
- `crafter.recording.stats`: the lines of `stats.jsonl`.
- `crafter.recording.folder`: names that are free, and hidden folders of episodes.
- `crafter.recording.leftovers`: what a killed process has left behind.
- `crafter.recording.reader`: `load_episode` and `load_start`.
"""
