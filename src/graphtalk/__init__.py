"""Talk with your graphs."""
