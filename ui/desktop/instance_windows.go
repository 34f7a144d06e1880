package desktop

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"time"

	"github.com/Microsoft/go-winio"
	"github.com/zeebo/xxh3"
	"golang.org/x/sys/windows"
)

// claim makes this process the instance of dir. It returns nil without an error if another process is that instance.
// The system removes mutex and pipe when their process ends, even after a crash.
func claim(dir string) (*Instance, error) {
	name, user, err := endpoint(dir)
	if err != nil {
		return nil, err
	}
	mutex, err := windows.UTF16PtrFromString(`Local\` + name)
	if err != nil {
		return nil, err
	}
	mutexHandle, err := windows.CreateMutex(nil, false, mutex)
	if errors.Is(err, windows.ERROR_ALREADY_EXISTS) || errors.Is(err, windows.ERROR_ACCESS_DENIED) {
		if mutexHandle != 0 {
			_ = windows.CloseHandle(mutexHandle)
		}
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	// The user owns the pipe, and no other user has any right.
	security := fmt.Sprintf("O:%[1]sG:%[1]sD:P(A;;GA;;;%[1]s)", user)
	l, err := winio.ListenPipe(pipes+name, &winio.PipeConfig{SecurityDescriptor: security})
	if err != nil {
		_ = windows.CloseHandle(mutexHandle)
		return nil, err
	}
	held := holdFirst(name)
	return newInstance(l, func() error {
		if held != nil {
			held.Close()
		}
		return windows.CloseHandle(mutexHandle)
	}), nil
}

// holdFirst prevents a failure under Wine. The first end of the pipe that go-winio creates only reserves the name, and
// Windows connects no client to it, but Wine connects the first client. So this process is the first client.
func holdFirst(name string) net.Conn {
	if windows.NewLazySystemDLL("ntdll.dll").NewProc("wine_get_version").Find() != nil {
		return nil
	}
	limit := time.Second
	held, err := winio.DialPipe(pipes+name, &limit)
	if err != nil {
		return nil
	}
	return held
}

// pipes is the prefix of all names of pipes.
const pipes = `\\.\pipe\`

// dial connects to the running instance and lets it raise its window, which Windows allows only to the program that the
// user started last. The pipe must belong to this user, because another one could have taken its name.
func dial(ctx context.Context, dir string) (net.Conn, error) {
	name, user, err := endpoint(dir)
	if err != nil {
		return nil, err
	}
	c, err := winio.DialPipeContext(ctx, pipes+name)
	if err != nil {
		return nil, err
	}
	file, ok := c.(interface{ Fd() uintptr })
	if !ok {
		c.Close()
		return nil, errors.New("not a pipe")
	}
	h := windows.Handle(file.Fd())
	security, err := windows.GetSecurityInfo(h, windows.SE_KERNEL_OBJECT, windows.OWNER_SECURITY_INFORMATION)
	if err == nil {
		var owner *windows.SID
		if owner, _, err = security.Owner(); err == nil && !owner.Equals(user) {
			err = errors.New("the other end belongs to another user")
		}
	}
	if err != nil {
		c.Close()
		return nil, err
	}
	var server uint32
	if windows.GetNamedPipeServerProcessId(h, &server) == nil {
		_, _, _ = allowSetForegroundWindow.Call(uintptr(server)) // otherwise the window only flashes in the task bar
	}
	return c, nil
}

var allowSetForegroundWindow = windows.NewLazySystemDLL("user32.dll").NewProc("AllowSetForegroundWindow")

// endpoint returns the name of the pipe for dir, and the user. It includes the session, because a user may have several
// sessions on a machine, each with its own screen.
func endpoint(dir string) (name string, user *windows.SID, err error) {
	account, err := windows.GetCurrentProcessToken().GetTokenUser()
	if err != nil {
		return "", nil, err
	}
	var session uint32
	if err := windows.ProcessIdToSessionId(uint32(os.Getpid()), &session); err != nil {
		return "", nil, err
	}
	user = account.User.Sid
	return fmt.Sprintf("assay-%s-%d-%x", user, session, xxh3.HashString(dir)), user, nil
}
