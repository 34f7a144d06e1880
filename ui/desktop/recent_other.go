//go:build !windows

package desktop

// Opened does nothing: no system here keeps a list of recent files for all programs.
func Opened(string) error { return nil }
