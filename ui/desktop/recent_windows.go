package desktop

import (
	"fmt"
	"unsafe"

	"golang.org/x/sys/windows"
)

var shAddToRecentDocs = windows.NewLazySystemDLL("shell32.dll").NewProc("SHAddToRecentDocs")

// shardPath says that a file is named by its path in UTF-16 (shlobj_core.h, SHARD).
const shardPath = 3

// Opened tells the system that a file was opened, which puts it into the list of recent files: into the jump list of
// the program as well, where the program is registered for the file's type.
func Opened(path string) error {
	name, err := windows.UTF16PtrFromString(path)
	if err != nil {
		return fmt.Errorf("the list of recent files: %w", err)
	}
	if err := shAddToRecentDocs.Find(); err != nil {
		return fmt.Errorf("the list of recent files: %w", err)
	}
	_, _, _ = shAddToRecentDocs.Call(shardPath, uintptr(unsafe.Pointer(name))) // it returns nothing
	return nil
}
