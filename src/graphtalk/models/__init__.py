"""Trainable graph models, one file each. Importing the room imports no torch; importing a file of it does."""
