package folder

import "golang.org/x/sys/unix"

// showsSystem reports whether a folder is in /proc or /sys: their files, some hundred for each process, hold the state
// of the system and are generated on reading.
func showsSystem(path string) bool {
	var s unix.Statfs_t
	return unix.Statfs(path, &s) == nil && (s.Type == unix.PROC_SUPER_MAGIC || s.Type == unix.SYSFS_MAGIC)
}
