package desktop

import (
	"errors"
	"net"
	"os"
	"syscall"
)

// checkSameUser checks that the process at the other end belongs to this user.
func checkSameUser(c net.Conn) error {
	u, ok := c.(*net.UnixConn)
	if !ok {
		return errors.New("not a local connection")
	}
	raw, err := u.SyscallConn()
	if err != nil {
		return err
	}
	var cred *syscall.Ucred
	var credErr error
	err = raw.Control(func(fd uintptr) {
		cred, credErr = syscall.GetsockoptUcred(int(fd), syscall.SOL_SOCKET, syscall.SO_PEERCRED)
	})
	if err = errors.Join(err, credErr); err != nil {
		return err
	}
	if int(cred.Uid) != os.Getuid() {
		return errors.New("the other end belongs to another user")
	}
	return nil
}
