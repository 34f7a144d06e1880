//go:build !linux

package desktop

import "net"

// sameUser returns nil: the mode of the folder, or the rights of the pipe, already exclude other users.
func sameUser(net.Conn) error { return nil }
