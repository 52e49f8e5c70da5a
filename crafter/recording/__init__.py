"""Reading and writing of recordings.

Contents:

- `crafter.recording.episode`: the running episode, from reset to finished files.
- `crafter.recording.transitions` and `crafter.recording.video`: npz and mp4 files.
- `crafter.recording.stats`: the lines of `stats.jsonl`.
- `crafter.recording.folder`: folders, unique file names, checks of recorders.
- `crafter.recording.reader`: `load_episode`, `load_game` and `load_start`.
- `crafter.recording.rebuild`: command that restores missing lines from npz files.
- `crafter.recording.old_interface`: adapter for environments of the old Gym.
- `crafter.recording.vector`: statistics of vector environments.
"""
