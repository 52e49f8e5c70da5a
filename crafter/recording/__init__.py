"""The files that `crafter.recorder` writes: how they come to be, and how to read them.

Contents:

- `crafter.recording.episode`: one episode after the other, from reset to named files.
- `crafter.recording.transitions` and `crafter.recording.video`: npz and mp4 files.
- `crafter.recording.stats`: the lines of `stats.jsonl`.
- `crafter.recording.folder`: folders, and file names that only one process gets.
- `crafter.recording.reader`: `load_episode`, `load_game` and `load_start`.
- `crafter.recording.rebuild`: a command that restores missing lines from npz files.
- `crafter.recording.old_interface`: environments of the old Gym.
"""
