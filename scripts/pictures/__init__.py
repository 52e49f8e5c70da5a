"""What `make_readme_pictures.py` draws: layout, films, and what agents see."""
