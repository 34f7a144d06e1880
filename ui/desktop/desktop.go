// Package desktop connects Assay with the desktop, without the toolkit: the running instance that receives the files of
// later starts, the file types and default apps, the state saved between sessions, watched files, and the file manager.
package desktop

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/godbus/dbus/v5"

	"assay/model"
)

// maxAnswerTime is the maximum time for a file manager to answer.
const maxAnswerTime = 20 * time.Second

// ShowInFolder opens the system's file manager with the file at an absolute path selected, or with its folder if the
// file manager does not support that.
func ShowInFolder(ctx context.Context, path string) error {
	if _, err := os.Lstat(path); err != nil {
		if _, err := os.Stat(filepath.Dir(path)); err != nil {
			return fmt.Errorf("the folder of %s no longer exists", model.FileName(path))
		}
	}
	switch runtime.GOOS {
	case "windows":
		// Explorer returns status 1 on success
		return exec.Command("explorer", "/select,"+path).Start()
	case "darwin":
		return openWith(ctx, "open", "-R", path)
	}
	if showItem(ctx, path) == nil {
		return nil
	}
	return openWith(ctx, "xdg-open", filepath.Dir(path))
}

// showItem calls the file manager on the session bus (freedesktop.org/wiki/Specifications/file-manager-interface).
func showItem(ctx context.Context, path string) error {
	ctx, cancel := context.WithTimeout(ctx, maxAnswerTime)
	defer cancel()
	bus, err := dbus.SessionBusPrivateNoAutoStartup(dbus.WithContext(ctx))
	if err != nil {
		return err
	}
	defer bus.Close()
	if err := errors.Join(bus.Auth(nil), bus.Hello()); err != nil {
		return err
	}
	address := url.URL{Scheme: "file", Path: path}
	return bus.Object("org.freedesktop.FileManager1", "/org/freedesktop/FileManager1").
		CallWithContext(ctx, "org.freedesktop.FileManager1.ShowItems", 0, []string{address.String()}, "").Err
}

// openWith runs a program of the system that shows a folder. A program that does not return, such as one with a window,
// is not an error.
func openWith(ctx context.Context, name string, args ...string) error {
	program, err := exec.LookPath(name)
	if err != nil {
		return fmt.Errorf("cannot show the folder: %s is not installed", name)
	}
	var stderr strings.Builder
	c := exec.Command(program, args...)
	c.Stderr = &stderr
	if err := c.Start(); err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }()
	select {
	case err := <-ended:
		if err != nil {
			return fmt.Errorf("%s: %w: %s", name, err, strings.TrimSpace(stderr.String()))
		}
	case <-time.After(maxAnswerTime):
	case <-ctx.Done():
	}
	return nil
}

// TakeToken returns the token with which the desktop lets this start raise a window, or "". It removes the token from
// the environment, because programs started by this one must not reuse it.
func TakeToken() string {
	var token string
	// of X11, and of Wayland, which takes precedence
	for _, name := range []string{"DESKTOP_STARTUP_ID", "XDG_ACTIVATION_TOKEN"} {
		if t := os.Getenv(name); t != "" {
			token = t
			_ = os.Unsetenv(name) // it cannot fail
		}
	}
	return token
}

// AppID identifies the program in all files and settings that it creates on a system.
const AppID = "org.assay.Assay"

// Registration adds and removes the data by which a desktop finds the program and its file types: files on
// freedesktop.org desktops, registry keys on Windows.
type Registration struct {
	Data     string // folder of shared data: $XDG_DATA_HOME of a user, /usr/share of a system
	Config   string // folder of the user's settings, with the default programs
	Home     string // home folder of the user: Unregister removes empty folders below it
	State    string // folder for the previous default programs; empty saves none
	Program  string // absolute path of the program
	Types    []model.FileType
	Icon     Icon
	Progress io.Writer // progress, one line for each step
	Staged   bool      // Data will be used at another path: the desktop's tools are not run
}

// Icon is the icon of the program, in two formats.
type Icon struct {
	App []byte // PNG, 512 x 512
	SVG []byte // the same as SVG
}

// TypeIconID returns the resource number of the icon of the i-th file type in a Windows program. Number 1 is the
// program's own icon.
func TypeIconID(i int) int { return i + 2 }

// TypeIcon returns the icon of a type's files as PNG, or the program's if the type has none.
func TypeIcon(t model.FileType, program []byte) []byte {
	if t.Picture == nil {
		return program
	}
	return t.Picture
}
