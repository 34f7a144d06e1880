package display

// Choose: this system has one display, which is always there.
func Choose() error { return nil }
