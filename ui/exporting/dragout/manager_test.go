//go:build linux || freebsd || netbsd || openbsd || dragonfly

package dragout

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// program is another process with a window.
type program struct {
	t      *testing.T
	window string // its ID

	mu    sync.Mutex
	lines []string
}

// launch starts a program and waits for its window.
func launch(t *testing.T, env []string, search []string, name string, args ...string) *program {
	cmd := exec.Command(name, args...)
	cmd.Env = append(os.Environ(), env...)
	in, err := cmd.StdinPipe()
	require.NoError(t, err)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	var complaints strings.Builder
	cmd.Stderr = &complaints
	require.NoError(t, cmd.Start())
	p := &program{t: t}
	read := make(chan struct{})
	go func() {
		defer close(read)
		for s := bufio.NewScanner(out); s.Scan(); {
			p.mu.Lock()
			p.lines = append(p.lines, s.Text())
			p.mu.Unlock()
		}
	}()
	t.Cleanup(func() {
		in.Close() // this closes the window of the test, which removes its files
		if name != os.Args[0] {
			_ = cmd.Process.Kill()
		} else if !ends(read) {
			t.Errorf("the window of the test does not end; this is where it is")
			_ = cmd.Process.Signal(syscall.SIGQUIT)
		}
		<-read
		_ = cmd.Wait()
		if t.Failed() {
			t.Logf("%s said: %v\n%s", name, p.lines, complaints.String())
		}
	})
	search = append([]string{"search", "--onlyvisible", "--pid", strconv.Itoa(cmd.Process.Pid)}, search...)
	eventually(t, "the window of "+name, func() bool {
		out, _ := exec.Command("xdotool", search...).Output()
		p.window, _, _ = strings.Cut(strings.TrimSpace(string(out)), "\n")
		return p.window != ""
	})
	return p
}

// ends reports whether a channel is closed before long.
func ends(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	case <-time.After(deadline):
		return false
	}
}

func (p *program) said(start string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, l := range p.lines {
		if strings.HasPrefix(l, start) {
			return true
		}
	}
	return false
}

// place moves and resizes the window, and waits until it is done.
func (p *program) place(x, y, w, h int) {
	p.t.Helper()
	do(p.t, "windowactivate", "--sync", p.window)
	do(p.t, "windowsize", p.window, strconv.Itoa(w), strconv.Itoa(h))
	do(p.t, "windowmove", p.window, strconv.Itoa(x), strconv.Itoa(y))
	eventually(p.t, "the window is in its place", func() bool {
		gx, gy, gw, gh := p.geometry()
		return gw == w && gh == h && gx-x < 50 && gy-y < 50 && gx >= x && gy >= y
	})
}

func (p *program) geometry() (x, y, w, h int) {
	for line := range strings.SplitSeq(do(p.t, "getwindowgeometry", "--shell", p.window), "\n") {
		name, v, _ := strings.Cut(line, "=")
		n, _ := strconv.Atoi(v)
		switch name {
		case "X":
			x = n
		case "Y":
			y = n
		case "WIDTH":
			w = n
		case "HEIGHT":
			h = n
		}
	}
	return
}

func do(t *testing.T, args ...string) string {
	t.Helper()
	out, err := exec.Command("xdotool", args...).CombinedOutput()
	require.NoError(t, err, "xdotool %v: %s", args, out)
	return string(out)
}

// glide moves the pointer in small steps.
func glide(t *testing.T, x0, y0, x1, y1 int) {
	t.Helper()
	const steps = 12
	var args []string
	for i := 1; i <= steps; i++ {
		args = append(args, "mousemove", "--sync", strconv.Itoa(x0+(x1-x0)*i/steps), strconv.Itoa(y0+(y1-y0)*i/steps))
	}
	do(t, args...)
}

// TestDropIntoFileManager drags from a real Fyne window into PCManFM, by the mouse.
func TestDropIntoFileManager(t *testing.T) {
	hostile := []fileOf{{Name: "../../../tmp/evil\n.txt", Content: "evil"}}
	var fifty []fileOf
	for i := range 50 {
		fifty = append(fifty, fileOf{Name: fmt.Sprintf("asset %02d ä#%%.bin", i),
			Content: strings.Repeat(strconv.Itoa(i), 10_000)})
	}
	big := []fileOf{{Name: "big.bin", Content: strings.Repeat("0123456789abcdef", 4<<10)}}
	never := []fileOf{{Name: "direct ä.bin", Content: big[0].Content, Never: true}}
	for name, c := range map[string]struct {
		files  []fileOf
		hasty  bool // drops without waiting for anything
		escape bool
		x, y   int // in the file manager's window
		want   map[string]string
		state  string
	}{
		"one":    {files: big, x: 400, y: 300, want: map[string]string{"big.bin": big[0].Content}, state: "dropped"},
		"hasty":  {files: fifty, hasty: true, x: 400, y: 300, want: contents(fifty), state: "dropped"},
		"direct": {files: never, hasty: true, x: 400, y: 300, want: contents(never), state: "dropped"},
		"fifty":  {files: fifty, x: 400, y: 300, want: contents(fifty), state: "dropped"},
		"hostile": {files: hostile, x: 400, y: 300, want: map[string]string{".._.._.._tmp_evil_.txt": "evil"},
			state: "dropped"},
		"escape":  {files: fifty, escape: true, x: 400, y: 300, want: map[string]string{}, state: "cancelled"},
		"refuses": {files: fifty, x: 300, y: 8, want: map[string]string{}, state: "refused"}, // its menu
	} {
		t.Run(name, func(t *testing.T) {
			home, folder := t.TempDir(), t.TempDir()
			list, err := json.Marshal(c.files)
			require.NoError(t, err)
			names := filepath.Join(home, "files.json")
			require.NoError(t, os.WriteFile(names, list, 0o600))
			env := homeOf(home)
			manager := fileManager(t, env, folder)
			source := launch(t, append(env, windowMode+"="+names, "FYNE_PLATFORM=x11"), []string{"--name", windowTitle},
				os.Args[0])
			source.place(50, 100, 300, 200)
			eventually(t, "the source is open", func() bool { return source.said("open") })

			sx, sy, _, _ := source.geometry()
			mx, my, _, _ := manager.geometry()
			glide(t, sx+60, sy+60, sx+100, sy+100)
			eventually(t, "the pointer is in the window", func() bool { return source.said("in") })
			do(t, "mousedown", "1")
			eventually(t, "the button is down", func() bool { return source.said("down") })
			glide(t, sx+100, sy+100, sx+150, sy+120)
			eventually(t, "the drag has begun", func() bool { return source.said("drag") })
			glide(t, sx+150, sy+120, mx+c.x, my+c.y)
			if c.files[0].Never {
				eventually(t, "the writing has begun", func() bool { return source.said("writing") })
			}
			if !c.hasty {
				eventually(t, "the files are ready", func() bool { return source.said("ready") })
			}
			if c.escape {
				do(t, "key", "Escape")
				eventually(t, "it is cancelled", func() bool { return source.said("cancelled") })
			}
			do(t, "mouseup", "1")
			eventually(t, c.state, func() bool { return source.said(c.state) })
			var got map[string]string
			eventually(t, "the files are in the folder", func() bool {
				got = inFolder(t, folder)
				return len(got) == len(c.want) && total(got) == total(c.want)
			})
			assert.Equal(t, c.want, got)
		})
	}
}

func TestPasteIntoFileManager(t *testing.T) {
	folder := t.TempDir()
	fileManager(t, homeOf(t.TempDir()), folder)
	r := newRig(t)
	require.NoError(t, r.CopyFiles(context.Background(), []Item{text("a b", "one"), text("ä#%", "two")}))
	r.comes(Copied)
	do(t, "key", "ctrl+v")
	want := map[string]string{"a b": "one", "ä#%": "two"}
	eventually(t, "the files are in the folder", func() bool { return total(inFolder(t, folder)) == total(want) })
	assert.Equal(t, want, inFolder(t, folder))
}

// homeOf returns an environment with an empty home folder.
func homeOf(home string) []string {
	return []string{"LANG=C.UTF-8", "HOME=" + home, "XDG_CONFIG_HOME=" + home, "XDG_CACHE_HOME=" + home,
		"XDG_DATA_HOME=" + home,
		"XDG_RUNTIME_DIR=" + home, "DBUS_SESSION_BUS_ADDRESS=disabled:", "GIO_USE_VFS=local", "NO_AT_BRIDGE=1"}
}

func fileManager(t *testing.T, env []string, folder string) *program {
	p := launch(t, env, []string{"--class", "pcmanfm"}, "pcmanfm", "--no-desktop", folder)
	p.place(500, 100, 600, 450)
	return p
}

func contents(files []fileOf) map[string]string {
	out := make(map[string]string)
	for _, f := range files {
		out[f.Name] = f.Content
	}
	return out
}

func total(files map[string]string) int {
	n := 0
	for _, s := range files {
		n += len(s)
	}
	return n
}

func inFolder(t *testing.T, folder string) map[string]string {
	entries, err := os.ReadDir(folder)
	require.NoError(t, err)
	out := make(map[string]string)
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join(folder, e.Name()))
		require.NoError(t, err)
		out[e.Name()] = string(data)
	}
	return out
}
