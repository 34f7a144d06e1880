package contents
