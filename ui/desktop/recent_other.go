//go:build !windows

package desktop

// AddRecent does nothing: no system here keeps a list of recent files for all programs.
func AddRecent(string) error { return nil }
