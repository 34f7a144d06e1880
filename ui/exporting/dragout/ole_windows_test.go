package dragout

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/windows"
)

func text(name, content string) Item {
	return Item{Name: name, Size: int64(len(content)), ModTime: time.Date(2024, 5, 6, 7, 8, 9, 0, time.UTC),
		Write: func(_ context.Context, w io.Writer) error {
			_, err := io.WriteString(w, content)
			return err
		}}
}

func offered(t *testing.T, items ...Item) *offer {
	t.Helper()
	f := &folder{base: t.TempDir()}
	t.Cleanup(func() { assert.NoError(t, f.close()) })
	return newOffer(t.Context(), f, items)
}

// pathsOf reads CF_HDROP as other programs do.
func pathsOf(t *testing.T, h uintptr) []string {
	t.Helper()
	n, _, _ := dragQueryFile.Call(h, 0xffffffff, 0, 0)
	var paths []string
	for i := range n {
		name := make([]uint16, 1000)
		_, _, _ = dragQueryFile.Call(h, i, uintptr(unsafe.Pointer(&name[0])), uintptr(len(name)))
		paths = append(paths, windows.UTF16ToString(name))
	}
	return paths
}

func contents(t *testing.T, paths []string) map[string]string {
	t.Helper()
	all := make(map[string]string)
	for _, path := range paths {
		b, err := os.ReadFile(path)
		require.NoError(t, err)
		all[filepath.Base(path)] = string(b)
	}
	return all
}

func TestNamesSizesAndTimesComeBeforeTheContent(t *testing.T) {
	o := offered(t, text("one.json", "content"), text("zwei é.bin", "more"))
	b := o.descriptors()
	require.Len(t, b, 4+2*descriptorSize)
	assert.Equal(t, []byte{2, 0, 0, 0}, b[:4])
	second := b[4+descriptorSize:]
	assert.Equal(t, []byte{0x60, 0x40, 0, 0x80}, second[:4], "time, size, progress, UTF-16")
	assert.Equal(t, []byte{0, 0, 0, 0, 4, 0, 0, 0}, second[64:72])
	assert.True(t, bytes.HasPrefix(second[72:],
		[]byte("z\x00w\x00e\x00i\x00 \x00\xe9\x00.\x00b\x00i\x00n\x00\x00\x00")))
	assert.Empty(t, o.dir, "nothing is written yet")
}

func TestATargetThatKnowsNoVirtualFilesGetsPaths(t *testing.T) {
	broken := Item{Name: "broken", Write: func(context.Context, io.Writer) error { return errors.New("it is damaged") }}
	o := offered(t, text("a.txt", "1"), broken, text("A.TXT", "2"))
	d := newDataObject(o)
	defer d.release()
	var m stgmedium
	require.EqualValues(t, resultOK, d.getData(&formatetc{format: hdrop, aspect: aspectContent, index: -1,
		medium: mediumMemory}, &m))
	assert.Equal(t, map[string]string{"a.txt": "1", "A (2).TXT": "2"}, contents(t, pathsOf(t, m.data)))
	assert.Len(t, o.problems(), 1)
}

func TestFoldersAreOffered(t *testing.T) {
	in := func(folder string, it Item) Item {
		it.Folder = folder
		return it
	}
	o := offered(t, in("art/wood", text("a.txt", "1")), text("b.txt", "2"), in("art", text("c.txt", "3")))
	d := newDataObject(o)
	defer d.release()
	all := o.descriptors()[4:]
	var names []string
	for ; len(all) > 0; all = all[descriptorSize:] {
		var name []uint16
		for k := 72; all[k] != 0; k += 2 {
			name = append(name, uint16(all[k]))
		}
		is := " file"
		if all[0]&hasAttributes != 0 && all[36] == windows.FILE_ATTRIBUTE_DIRECTORY {
			is = " folder"
		}
		names = append(names, windows.UTF16ToString(name)+is)
	}
	assert.Equal(t, []string{"art folder", `art\wood folder`, `art\wood\a.txt file`, "b.txt file", `art\c.txt file`}, names)

	var m stgmedium
	ask := formatetc{format: contentsFormat(), aspect: aspectContent, index: 0, medium: mediumStream}
	assert.EqualValues(t, resultNoIndex, d.getData(&ask, &m), "a folder has no content")
	ask.index = 4
	require.EqualValues(t, resultOK, d.getData(&ask, &m))
	release(m.data)
	assert.FileExists(t, filepath.Join(o.dir, "art", "c.txt"))
	require.EqualValues(t, resultOK, d.getData(&formatetc{format: hdrop, aspect: aspectContent, index: -1,
		medium: mediumMemory}, &m))
	paths := pathsOf(t, m.data)
	assert.Equal(t, []string{filepath.Join(o.dir, "art"), filepath.Join(o.dir, "b.txt")}, paths)
	assert.Equal(t, map[string]string{"a.txt": "1"}, contents(t, []string{filepath.Join(paths[0], "wood", "a.txt")}))
}

func TestPathsAreAsShortAsOtherProgramsNeedThem(t *testing.T) {
	o := offered(t, text(strings.Repeat("ab", 120)+".json", "1"), text(strings.Repeat("ab", 120)+".json", "2"))
	b := o.writeAll()
	require.Len(t, b.paths, 2, b.problems)
	for i, path := range b.paths {
		assert.Less(t, len(path), 260)
		assert.Equal(t, ".json", filepath.Ext(path))
		assert.Equal(t, o.items[i].Name, filepath.Base(path))
	}
}

func TestFilesAreWrittenOnRequest(t *testing.T) {
	o := offered(t, text("a", "1"), text("b", "2"))
	d := newDataObject(o)
	defer d.release()
	var m stgmedium
	ask := formatetc{format: contentsFormat(), aspect: aspectContent, index: 1, medium: mediumStream}
	require.EqualValues(t, resultOK, d.getData(&ask, &m))
	assert.NotZero(t, m.data)
	assert.NoFileExists(t, filepath.Join(o.dir, "a"))
	assert.FileExists(t, filepath.Join(o.dir, "b"))
	release(m.data)
	ask.index = 2
	assert.EqualValues(t, resultNoIndex, d.getData(&ask, &m))
	ask.format = 1
	assert.EqualValues(t, resultNoFormat, d.getData(&ask, &m))
}

// release releases a COM object.
func release(object uintptr) {
	medium := stgmedium{medium: mediumStream, data: object}
	_, _, _ = ole32.NewProc("ReleaseStgMedium").Call(uintptr(unsafe.Pointer(&medium)))
}

func TestFilesAreCopiedToTheClipboard(t *testing.T) {
	events := make(chan Event, 10)
	s := Open(Options{Window: 1, Folder: t.TempDir(), OnState: func(e Event) { events <- e }})
	require.NoError(t, s.CopyFiles(t.Context(), []Item{text("a.txt", "1"), text("b.txt", "2")}))
	assert.Equal(t, Preparing, (<-events).State)
	last := <-events
	require.Equal(t, Copied, last.State, last.Text)
	assert.Equal(t, 2, last.Files)

	onClipboard := func() (files map[string]string) {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		did, _, _ := openClipboard.Call(0)
		require.NotZero(t, did)
		defer closeClipboard.Call()
		if h, _, _ := getClipboardData.Call(hdrop); h != 0 {
			files = contents(t, pathsOf(t, h))
		}
		return files
	}
	assert.Equal(t, map[string]string{"a.txt": "1", "b.txt": "2"}, onClipboard())
	require.NoError(t, s.Close())
	assert.Empty(t, onClipboard(), "the files are gone")
}
