//go:build !linux

package export

import "os"

func syncAll(root *os.Root, names []string) error { return syncEach(root, names) }
