package desktop

import (
	"fmt"
	"unsafe"

	"golang.org/x/sys/windows"
)

var shAddToRecentDocs = windows.NewLazySystemDLL("shell32.dll").NewProc("SHAddToRecentDocs")

// shardPath selects a path in UTF-16 (shlobj_core.h, SHARD).
const shardPath = 3

// AddRecent adds a file to the system's list of recent files. If the program is registered for the file's type, it also
// appears in the jump list of the program.
func AddRecent(path string) error {
	name, err := windows.UTF16PtrFromString(path)
	if err != nil {
		return fmt.Errorf("the list of recent files: %w", err)
	}
	if err := shAddToRecentDocs.Find(); err != nil {
		return fmt.Errorf("the list of recent files: %w", err)
	}
	_, _, _ = shAddToRecentDocs.Call(shardPath, uintptr(unsafe.Pointer(name))) // it has no result
	return nil
}
