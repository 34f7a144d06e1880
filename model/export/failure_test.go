package export_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
	"assay/model/export"
	"assay/model/modeltest"
)

// failing is a folder whose n-th operation fails.
type failing struct {
	*export.Directory
	n    int64
	with error
	at   string // the failed operation
	seen atomic.Int64
}

func (f *failing) fail(what string) error {
	if f.seen.Add(1) != f.n {
		return nil
	}
	f.at = what
	return &fs.PathError{Op: what, Path: "/secret/place", Err: f.with}
}

func (f *failing) MkdirAll(name string) error {
	if err := f.fail("mkdir"); err != nil {
		return err
	}
	return f.Directory.MkdirAll(name)
}

func (f *failing) Create(folder string) (export.File, error) {
	if err := f.fail("create"); err != nil {
		return nil, err
	}
	w, err := f.Directory.Create(folder)
	return &failingFile{w, f}, err
}

func (f *failing) Sync(names []string) error {
	if err := f.fail("sync"); err != nil {
		return err
	}
	return f.Directory.Sync(names)
}

type failingFile struct {
	export.File
	f *failing
}

// Write writes half of p if it fails.
func (w *failingFile) Write(p []byte) (int, error) {
	if err := w.f.fail("write"); err != nil {
		n, _ := w.File.Write(p[:len(p)/2])
		return n, err
	}
	return w.File.Write(p)
}

func (w *failingFile) Publish(name string, replace bool) error {
	if err := w.f.fail("publish"); err != nil {
		return err
	}
	return w.File.Publish(name, replace)
}

func (w *failingFile) SetTime(modified time.Time) error {
	if err := w.f.fail("time"); err != nil {
		return err
	}
	return w.File.SetTime(modified)
}

func TestAFailedOperationCostsOneFile(t *testing.T) {
	contents := map[string]string{"d/a": "small", "b": strings.Repeat("large", 1<<19), "c": "third"}
	seen := map[string]bool{}
	for n := int64(1); ; n++ {
		dir := t.TempDir()
		f := &failing{Directory: open(t, dir), n: n, with: syscall.ENOSPC}
		var list []*model.Payload
		for _, name := range []string{"d/a", "b", "c"} {
			p := asset(name, name, contents[name])
			p.ModTime = time.Unix(1e9, 0)
			list = append(list, p)
		}
		r := run(t, f, export.Options{Workers: 1, Sums: true}, list...)
		if f.at == "" {
			assert.False(t, r.Bad())
			assert.Equal(t, contents, files(t, dir))
			break
		}
		seen[f.at] = true
		got := files(t, dir)
		assert.True(t, r.Bad(), "%d: %s failed", n, f.at)
		for name, content := range got {
			assert.Equal(t, contents[name], content, "%d: %s failed", n, f.at)
		}
		assert.Len(t, got, r.Exported, "%d: %s failed", n, f.at)
		switch f.at {
		case "sync":
			assert.Equal(t, 3, r.Exported)
			assert.NotEmpty(t, r.Problem)
		case "time":
			assert.Equal(t, 3, r.Exported)
			assert.Equal(t, 1, r.Doubtful)
		default:
			assert.Equal(t, 2, r.Exported, "%d: %s failed", n, f.at)
			assert.Equal(t, 1, r.Failed)
		}
		for row := range r.Rows() {
			assert.NotContains(t, row.Problem, "secret")
			if row.Outcome == export.Failed {
				assert.Contains(t, row.Problem, "the disk is full")
			}
		}
	}
	assert.Len(t, seen, 6)
}

func TestLinksInTheTargetAreNotFollowed(t *testing.T) {
	outside, dir := t.TempDir(), t.TempDir()
	victim := filepath.Join(outside, "victim")
	require.NoError(t, os.WriteFile(victim, []byte("safe"), 0o600))
	require.NoError(t, os.Mkdir(filepath.Join(dir, "real"), 0o700))
	for name, target := range map[string]string{"out": outside, "up": "..", "file": victim, "in": "real"} {
		modeltest.Symlink(t, target, filepath.Join(dir, name))
	}
	r := run(t, open(t, dir), export.Options{Conflict: export.Overwrite},
		asset("1", "out/victim", "evil"), asset("2", "up/x", "evil"), asset("3", "file", "new"),
		asset("4", "in/y", "fine"))
	assert.Equal(t, 2, r.Failed)
	assert.Equal(t, 2, r.Exported)
	assert.Equal(t, map[string]string{"victim": "safe"}, files(t, outside), "nothing outside changed")
	b, err := os.ReadFile(filepath.Join(dir, "real", "y"))
	require.NoError(t, err)
	assert.Equal(t, "fine", string(b), "a link to a folder inside is followed")
	info, err := os.Lstat(filepath.Join(dir, "file"))
	require.NoError(t, err)
	assert.True(t, info.Mode().IsRegular(), "the link was replaced, not followed")
}

func TestFilesAfterTheFolderIsRemovedFail(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows does not remove a folder that is open")
	}
	dir := filepath.Join(t.TempDir(), "d")
	gone := asset("b", "b", "content")
	gone.Open = func(context.Context) (io.ReadCloser, error) {
		return io.NopCloser(strings.NewReader("content")), os.RemoveAll(dir)
	}
	r := run(t, open(t, dir), export.Options{Workers: 1}, asset("a", "a", "content"), gone, asset("c", "c", "content"))
	assert.Equal(t, 2, r.Failed)
	assert.NoDirExists(t, dir)
}

func TestReportHasAProblemIfTheFolderIsMoved(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows does not move a folder that is open")
	}
	dir := filepath.Join(t.TempDir(), "d")
	second := asset("b", "b", "content")
	second.Open = func(context.Context) (io.ReadCloser, error) {
		return io.NopCloser(strings.NewReader("content")), os.Rename(dir, dir+" moved")
	}
	r := run(t, open(t, dir), export.Options{Workers: 1}, asset("a", "a", "content"), second)
	assert.Equal(t, "the folder was moved or removed while files were written into it", r.Problem)
	assert.True(t, r.Bad())
	assert.NoDirExists(t, dir)
	assert.FileExists(t, filepath.Join(dir+" moved", "a"))
}

func TestExportIntoAFileFails(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "d")
	require.NoError(t, os.WriteFile(dir, nil, 0o600))
	r := run(t, open(t, dir), export.Options{}, asset("a", "a", "content"))
	assert.Equal(t, 1, r.Failed)
	assert.Contains(t, r.Row(0).Problem, "cannot create its folder: ")
}

func TestMemoryDoesNotGrowWithAnAsset(t *testing.T) {
	size := int64(6 << 30)
	if testing.Short() {
		size = 256 << 20
	}
	p := &model.Payload{Key: "k", Name: "large", Size: size,
		Open: stream(func() io.Reader { return io.LimitReader(endless{}, size) })}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	r := run(t, export.DiscardFolder{}, export.Options{}, p)
	runtime.ReadMemStats(&after)
	assert.Equal(t, size, r.Bytes)
	assert.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(8<<20), "bytes allocated in all")
}

const childFolder = "ASSAY_EXPORT_TEST_FOLDER"

// TestMain is also the child process of TestKilledExportLeavesNoPartialFiles, which exports until it is killed.
func TestMain(m *testing.M) {
	dir := os.Getenv(childFolder)
	if dir == "" {
		os.Exit(m.Run())
	}
	all, err := export.NewChooser(nil)
	if err != nil {
		panic(err)
	}
	for round := 0; ; round++ {
		var list model.PayloadList
		for i := range 50 {
			name := fmt.Sprintf("%d/%d", round, i)
			list = append(list, asset(name, name, killedContent(i)))
		}
		picks := all.Choose(context.Background(), list, "", "")
		plan, err := export.NewPlan(context.Background(), export.OpenDirectory(dir), picks,
			export.Options{NoSync: true})
		if err != nil {
			panic(err)
		}
		if r := plan.Run(context.Background()); r.Bad() {
			panic(r.Summary())
		}
		fmt.Println(round) // the parent counts rounds
	}
}

func killedContent(i int) string { return strings.Repeat(fmt.Sprintf("%9d\n", i), 1+i*i*20) }

func TestKilledExportLeavesNoPartialFiles(t *testing.T) {
	program, err := os.Executable()
	require.NoError(t, err)
	kills := 100
	if testing.Short() {
		kills = 10
	}
	for n := range kills {
		dir := filepath.Join(t.TempDir(), "out")
		child := exec.CommandContext(t.Context(), program)
		child.Env = append(os.Environ(), childFolder+"="+dir)
		out, err := child.StdoutPipe()
		require.NoError(t, err)
		require.NoError(t, child.Start())
		// It is killed after the first round and some files of the second, another number of them each time.
		_, err = out.Read(make([]byte, 1))
		require.NoError(t, err)
		for {
			if names, _ := os.ReadDir(filepath.Join(dir, "1")); len(names) > n*7%45 {
				break
			}
			runtime.Gosched()
		}
		require.NoError(t, child.Process.Kill())
		var exit *exec.ExitError
		require.True(t, errors.As(child.Wait(), &exit))

		complete := 0
		for name, content := range files(t, dir) {
			if strings.HasPrefix(filepath.Base(name), ".assay-") {
				continue
			}
			var round, i int
			_, err := fmt.Sscanf(name, "%d/%d", &round, &i)
			require.NoError(t, err)
			require.Equal(t, len(killedContent(i)), len(content), name)
			require.Equal(t, killedContent(i), content, name)
			complete++
		}
		assert.GreaterOrEqual(t, complete, 50)
		require.NoError(t, os.RemoveAll(dir))
	}
}
