package exporting

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model/export"
	"assay/ui/exporting/dragout"
)

func TestDropOnThePanelAdds(t *testing.T) {
	r, d := newRig(t), sample()
	in, out := fyne.NewPos(100, 100), fyne.NewPos(100, 4000)
	require.NotNil(t, r.Drag(d, nodes(t, d, "/items/0", "/items/2")))
	require.Len(t, r.notices, 1, "it says why nothing leaves the window")
	r.Dragged(out)
	assert.False(t, r.dropHighlight.Visible())
	r.Dragged(in)
	assert.True(t, r.dropHighlight.Visible())
	r.DragEnd()
	assert.False(t, r.dropHighlight.Visible())
	assert.Equal(t, []string{"dir/a.txt", "m.mesh"}, r.targets())

	r.Drag(d, nodes(t, d, "/items/1"))
	r.Dragged(in)
	r.Dragged(out)
	r.DragEnd()
	assert.Equal(t, 2, r.Len(), "dropped elsewhere")
	r.Drag(d, nodes(t, d, "/items/1"))
	r.Dragged(in)
	assert.True(t, r.CancelDrag())
	assert.False(t, r.CancelDrag())
	r.Dragged(in)
	r.DragEnd()
	assert.Equal(t, 2, r.Len(), "cancelled")
	assert.Len(t, r.notices, 1, "it is said once")
}

// nativeWindow is a window of a system without support for dragging out.
type nativeWindow struct{ fyne.Window }

func (nativeWindow) RunNative(f func(context any)) { f(nil) }

func TestConnectOpensASourceUnlessThePanelIsClosed(t *testing.T) {
	r := newRig(t)
	none := r.drags.out
	r.Connect()
	assert.Same(t, none, r.drags.out, "the window has no context of a system")
	r.Panel.window = nativeWindow{r.window}
	r.Connect()
	assert.NotSame(t, none, r.drags.out)

	r = newRig(t)
	r.Panel.window, none = nativeWindow{r.window}, r.drags.out
	r.Panel.Close()
	r.Connect()
	assert.Same(t, none, r.drags.out)
}

func TestDragBringsThePanelIntoView(t *testing.T) {
	r, d := newRig(t), sample()
	shown, undone := 0, 0
	r.onShow = func() func() {
		shown++
		return func() { undone++ }
	}
	r.Drag(d, nodes(t, d, "/items/0"))
	assert.Zero(t, shown)
	r.Dragged(fyne.NewPos(1000, 1))
	r.Dragged(fyne.NewPos(2000, 2))
	r.DragEnd()
	assert.Equal(t, []int{1, 1}, []int{shown, undone}, "nothing was dropped there")
	r.Drag(d, nodes(t, d, "/items/0"))
	r.Dragged(fyne.NewPos(100, 100))
	r.DragEnd()
	assert.Equal(t, []int{3, 1}, []int{shown, undone}, "for the drag and for what it added")
	r.Drag(d, nodes(t, d, "/items/0"))
	r.Dragged(fyne.NewPos(100, 100))
	r.CancelDrag()
	assert.Equal(t, []int{4, 2}, []int{shown, undone})
}

func TestDraggedFilesHaveUniqueNamesAndChosenForms(t *testing.T) {
	r := newRig(t)
	d := document("made.bin", asset{name: "x/same.txt", content: "1"}, asset{name: "y/same.txt", content: "2"},
		asset{name: "m.mesh", kind: "Mesh", content: "m"}, asset{name: "bad", fails: true})
	items, err := r.drags.items(context.Background(), picksOf(d, nodes(t, d, "/items", "/head")),
		export.Preset{Forms: map[string]string{"Mesh": "upper"}})
	require.NoError(t, err)
	var got []string
	for _, item := range items[:4] {
		var b bytes.Buffer
		err := item.Write(context.Background(), &b)
		assert.Equal(t, item.Name == "bad", err != nil)
		got = append(got, item.Name+"="+b.String())
	}
	assert.Equal(t, []string{"same.txt=1", "same (2).txt=2", "m.up=M", "bad="}, got)
	assert.Equal(t, "head.json", items[4].Name)

	_, err = r.drags.items(context.Background(), func(context.Context) ([]export.Pick, error) {
		return make([]export.Pick, maxDragged+1), nil
	}, export.Preset{})
	assert.ErrorContains(t, err, "cannot drag 2,001 files at once")
}

func TestDraggedFoldersKeepTheirFiles(t *testing.T) {
	r := newRig(t)
	d := document("made.bin", asset{name: `a\b\one.txt`}, asset{name: "/a/b/c/two.txt"}, asset{name: "a/bb/three.txt"})
	items, err := r.drags.items(context.Background(), picksOf(d, nodes(t, d, "/items")), export.Preset{}, "a/b")
	require.NoError(t, err)
	var got []string
	for _, item := range items {
		got = append(got, item.Folder+item.Name)
	}
	assert.Equal(t, []string{"b/one.txt", "b/c/two.txt", "three.txt"}, got)
}

func TestDragEventsAreDisplayed(t *testing.T) {
	r := newRig(t)
	r.drags.warn("a.txt: its content differs")
	r.drags.warn("b.txt: its content differs")
	r.drags.onEvent(dragout.Event{State: dragout.Preparing, Files: 2, Done: 1000, Total: 3000})
	assert.Equal(t, "Preparing 2 files: 1.0 KB of 3.0 KB", r.lastHint())
	r.drags.onEvent(dragout.Event{State: dragout.Dropped, Text: "Dropped.",
		Problems: []dragout.Problem{{Name: "c.txt", Err: errors.New("it is gone")}}})
	assert.Equal(t, "Dropped.", r.lastHint())
	assert.Equal(t, []string{"c.txt was skipped: it is gone.", "a.txt: its content differs (and 1 more)."}, r.notices)
	r.drags.onEvent(dragout.Event{State: dragout.Failed, Text: "The disk is full."})
	assert.Equal(t, "The disk is full.", r.notices[2])
	d := sample()
	r.Drag(d, nodes(t, d, "/items"))
	r.drags.current.started = true
	r.drags.onEvent(dragout.Event{State: dragout.Canceled, Text: "The drag was canceled."})
	assert.Nil(t, r.drags.current, "Escape ends it for the window too")
	r.CopyRows()
	assert.Contains(t, strings.Join(r.notices, " "), "export panel")
}

func TestTrustFollowsContentAndName(t *testing.T) {
	png := "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x06\x00\x00\x00"
	for _, c := range []struct {
		name, head string
		want       trust
	}{
		{"a.png", png, trustDisplayed}, {"A.PNG", png, trustDisplayed}, {"readme.txt", "hello", trustDisplayed},
		{"a.json", "{}", trustDisplayed},
		{"a.bin2", "hello", trustUnknown}, {"noextension", "hello", trustUnknown}, {"a.xyz", png, trustUnknown},
		{"a.exe", "hello", trustRefused}, {"a.desktop", "hello", trustRefused}, {"a.sh", "hello", trustRefused},
		{"a.lua", "x = 1", trustRefused}, {"a.jar", "PK", trustRefused}, {"a.BAT", "", trustRefused},
		{"a.png", "#!/bin/sh\nrm", trustRefused},
		{"a.txt", "\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\x3e\x00", trustRefused},
		{"a.txt", "MZ\x90\x00", trustRefused}, {"a.txt", "[Desktop Entry]\nExec=x", trustRefused}, {"a.html", "<html>", trustRefused},
		{"a.txt", "<!DOCTYPE html><html><script>", trustRefused},
	} {
		assert.Equal(t, c.want, trustOf(c.name, []byte(c.head)), "%s %q", c.name, c.head)
	}
}

func TestAnAssetIsWrittenForAnotherProgram(t *testing.T) {
	r := newRig(t)
	d := document("made.bin", asset{name: "dir/a.txt", content: "a"}, asset{name: "run.sh", content: "#!/bin/sh"},
		asset{name: "bad.txt", fails: true})
	folder, err := r.externalOpener.nextFolder()
	require.NoError(t, err)
	pick := func(i int) export.Pick { return export.Pick{From: d.Payloads, Index: i} }
	path, trust, err := writeForOpening(context.Background(), folder, pick(0), export.Preset{})
	require.NoError(t, err)
	assert.Equal(t, trustDisplayed, trust)
	assert.Equal(t, filepath.Join(folder, "a.txt"), path)
	info, err := os.Stat(path)
	require.NoError(t, err)
	assert.Zero(t, info.Mode().Perm()&0o222, "it cannot be changed")
	if runtime.GOOS != "windows" { // a user's folders are private there
		assert.EqualValues(t, 0o400, info.Mode().Perm(), "no other user can look")
		info, err = os.Stat(r.externalOpener.folder)
		require.NoError(t, err)
		assert.EqualValues(t, 0o700, info.Mode().Perm())
	}
	_, _, err = writeForOpening(context.Background(), folder, pick(2), export.Preset{})
	assert.ErrorContains(t, err, "cannot be read")

	r.externalOpener.open(pick(1), export.Preset{})
	assert.Contains(t, r.notices[0], "could run as a program")
	r.OpenOutside(d, nodes(t, d, "/items"))
	assert.Contains(t, r.lastHint(), "3 assets")
	where := r.externalOpener.folder
	r.Panel.Close()
	assert.NoDirExists(t, where)
}

func TestDocumentWithoutAssetsHasAHint(t *testing.T) {
	r := newRig(t)
	bare := document("none.bin")
	r.AddAll(bare)
	assert.Contains(t, r.lastHint(), "no assets")
	r.AddType(bare, nodes(t, bare, "/head"))
	assert.Contains(t, r.lastHint(), "not an asset")
}
