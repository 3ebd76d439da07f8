"""Language: what graphtalk knows of English, and of nothing else. It knows no data set and no schema."""
