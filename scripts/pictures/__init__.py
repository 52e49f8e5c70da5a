"""Drawing code of `make_readme_pictures.py`: layout, animations, observations."""
