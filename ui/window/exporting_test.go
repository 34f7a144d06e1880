package window

import (
	"bytes"
	"context"
	"io"
	"testing"

	"fyne.io/fyne/v2"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
	"assay/ui/command"
)

// packed opens bytes as a layered file with an asset for each byte, which is its key.
func packed(_ context.Context, path string) (*model.Document, error) {
	src, err := model.OpenFile(path)
	if err != nil {
		return nil, err
	}
	b, err := src.Bytes(model.Span{Size: src.Size()})
	if err != nil {
		return nil, err
	}
	root := &model.Node{Type: "Pack", Span: model.Span{Size: src.Size()}}
	var list model.List
	var all model.PayloadList
	for i, c := range b {
		n := &model.Node{Name: model.IndexName(i), Type: "Entry", Key: string(rune(c)),
			Span: model.Span{Offset: int64(i), Size: 1}}
		list = append(list, n)
		all = append(all, &model.Payload{Key: n.Key, Name: n.Key + ".txt", Type: "Text", Node: n, Size: 1,
			Open: func(context.Context) (io.ReadCloser, error) {
				return io.NopCloser(bytes.NewReader([]byte{c})),
					nil
			}})
	}
	root.SetChildren(list)
	d := model.NewDocument(src, "packed", "", root)
	d.Payloads, d.IsPackage, d.IsLayered = all, true, true
	return d, nil
}

func packWindow(t *testing.T, contents ...string) *Window {
	t.Helper()
	w := makeWindow(t)
	w.options.Open = packed
	w.win.Resize(fyne.NewSize(1300, 800))
	folder := t.TempDir()
	for i, c := range contents {
		w.openFile(write(t, folder, "pack"+model.IndexName(i)+".bin", c))
	}
	t.Cleanup(w.exporting.Close)
	return w
}

// act runs the command with a label in the current tab.
func act(t *testing.T, w *Window, label string) {
	t.Helper()
	for _, c := range command.All() {
		if _, ok := w.commands.Actions[c.ID]; ok && c.Label == label && c.Menu != "" {
			w.commands.Run(c.ID, w.tabs.current())
			return
		}
	}
	require.Fail(t, "no command "+label)
}

func TestSelectedNodesGoToTheExportPanel(t *testing.T) {
	w := packWindow(t, "abc", "xy")
	paneOf(w.tabs.current()).Select(model.Path{1})
	act(t, w, "Add to Export List")
	assert.Equal(t, 1, w.exporting.Len())
	assert.Equal(t, "Export", paneOf(w.tabs.current()).Side.Panel().Title(), "the panel comes into view")
	w.tabs.show(0)
	act(t, w, "Add All Assets to Export List")
	assert.Equal(t, 4, w.exporting.Len(), "of several documents")
	w.tabs.close(w.tabs.all[0])
	assert.Equal(t, 4, w.exporting.Len(), "they stay when a tab is closed")
	w.win.Canvas().Capture()
}

func TestThePanelInViewStays(t *testing.T) {
	w := packWindow(t, "abc")
	tab := w.tabs.current().(*docTab)
	side := func() string { return tab.pane.Side.Panel().Title() }
	assert.Equal(t, "Preview", side())
	tab.pane.Select(model.Path{1})
	tab.pane.Select(model.Path{})
	assert.Equal(t, "Preview", side())
	tab.pane.Side.ShowTitled("Inspector")
	tab.pane.Select(model.Path{1})
	assert.Equal(t, "Inspector", side(), "it was chosen")
	w.openFile(write(t, t.TempDir(), "other.bin", "bd"))
	assert.Equal(t, "Preview", paneOf(w.tabs.current()).Side.Panel().Title())
}

func TestDragFromTheTreeShowsThePanel(t *testing.T) {
	w := packWindow(t, "abc")
	p := paneOf(w.tabs.current())
	before := p.Side.Panel()
	p.Select(model.Path{1})
	drag := p.Drag(p.Document(), p.TopSelected())
	require.NotNil(t, drag)
	drag.Dragged(fyne.NewPos(5, 5))
	assert.Equal(t, "Export", p.Side.Panel().Title())
	drag.DragEnd()
	assert.Equal(t, before, p.Side.Panel(), "nothing was dropped there")
	drag = p.Drag(p.Document(), p.TopSelected())
	drag.Dragged(fyne.NewPos(1200, 700))
	assert.False(t, w.Key(&fyne.KeyEvent{Name: fyne.KeyF12}, false))
	assert.True(t, w.Key(&fyne.KeyEvent{Name: fyne.KeyEscape}, false), "Escape ends the drag")
	drag.DragEnd()
	assert.Zero(t, w.exporting.Len())
	drag = p.Drag(p.Document(), p.TopSelected())
	drag.Dragged(fyne.NewPos(1200, 700))
	drag.DragEnd()
	assert.Equal(t, 1, w.exporting.Len())
	assert.Equal(t, "Export", p.Side.Panel().Title())
}

func TestStackShowsTheOpenFiles(t *testing.T) {
	w := packWindow(t, "abc")
	act(t, w, "Load Order")
	assert.Contains(t, w.notices.Texts()[0], "at least two open packages")
	folder := t.TempDir()
	w.openFile(write(t, folder, "patch.bin", "bd"))
	act(t, w, "Load Order")
	require.Equal(t, []string{"pack0.bin", "patch.bin", "Load Order"}, titles(w))
	s := w.tabs.current().(*stackTab)
	s.pane.Export()
	assert.Equal(t, 4, w.exporting.Len(), "a and c of the first, b and d of the second")
	w.win.Canvas().Capture()
	w.tabs.show(0)
	act(t, w, "Load Order")
	assert.Len(t, w.tabs.all, 3, "the stack that is open is shown")
	assert.Equal(t, Tab(s), w.tabs.current())
	s.pane.Reveal(s.pane.Documents()[0], s.pane.Documents()[0].Root().Child(2))
	assert.Equal(t, "pack0.bin", w.tabs.current().Title())
	assert.EqualValues(t, 2, paneOf(w.tabs.current()).Selection().Offset)
	w.tabs.close(w.tabs.all[0])
	s.pane.Reveal(s.pane.Documents()[0], s.pane.Documents()[0].Root().Child(1))
	assert.Equal(t, "pack0.bin", w.tabs.current().Title(), "a file that was closed is opened again")
	assert.EqualValues(t, 1, paneOf(w.tabs.current()).Selection().Offset)
}

func TestMenusOfferExport(t *testing.T) {
	w := packWindow(t, "abc")
	paneOf(w.tabs.current()).Select(model.Path{2})
	items := w.commands.Context(w.tabs.current(), func(c command.Command) int { return c.Node }).Items
	assert.Equal(t, []string{"Open Asset in New Tab", "Show Where Used…", "", "Copy Value", "Copy Path", "Copy Offset",
		"Copy Bytes As", "Copy Name", "",
		"Add to Export List", "Add More to Export List", "Export Selected…", "Copy as Files", "Open with Default App"},
		labels(items))
	assets := w.commands.Context(w.tabs.current(), func(c command.Command) int { return c.Asset }).Items
	assert.Equal(t, "Open Asset in New Tab", assets[0].Label)
	assert.Contains(t, labels(assets), "Verify Listed Assets")
	items[9].Action()
	for _, item := range items[10].ChildMenu.Items {
		if item.Action != nil {
			item.Action()
		}
	}
	assert.Equal(t, 5, w.exporting.Len(), "three assets, a node as JSON, its bytes")
	assert.Equal(t, "Filter List…", w.findAction().Name(w.tabs.current()), "while the assets are displayed")
	paneOf(w.tabs.current()).FocusHex()
	items = w.commands.Context(w.tabs.current(), func(c command.Command) int { return c.Bytes }).Items
	assert.Equal(t, []string{"Copy Bytes As", "Copy Cursor Offset", "Checksums of Selection…", "Strings in Selection…",
		"Describe Selection…", "", "Find Bytes…", "Go to Offset…", "", "Add Bytes to Export List"}, labels(items))
	items[8].Action()
	assert.Equal(t, 5, w.exporting.Len(), "without a range, the node's bytes again")
}

func TestReloadKeepsTheExportList(t *testing.T) {
	w := packWindow(t)
	path := write(t, t.TempDir(), "pack.bin", "abc")
	w.openFile(path)
	act(t, w, "Add All Assets to Export List")
	require.Equal(t, 3, w.exporting.Len())
	d, err := packed(context.Background(), write(t, t.TempDir(), "pack.bin", "xcb"))
	require.NoError(t, err)
	paneOf(w.tabs.current()).ReplaceDocument(d)
	assert.Equal(t, 2, w.exporting.Len(), "found again by their keys")
	assert.Contains(t, w.notices.Texts()[len(w.notices.Texts())-1],
		"Removed 1 asset that is no longer in pack.bin")
}

func TestQuittingDuringAnExportAsks(t *testing.T) {
	w := packWindow(t, "a") // one asset, so that nothing else changes the window
	act(t, w, "Add All Assets to Export List")
	all := paneOf(w.tabs.current()).Document().Payloads.(model.PayloadList)
	first, asked := all[0].Open, 0
	all[0].Open = func(ctx context.Context) (io.ReadCloser, error) {
		if w.exporting.Running() == "" { // the plan reads it too
			return first(ctx)
		}
		asked++
		w.quit()
		assert.False(t, w.workEnded)
		require.NotNil(t, w.win.Canvas().Overlays().Top(), "it asks")
		w.quit()
		assert.Len(t, w.win.Canvas().Overlays().List(), 1, "once")
		if asked == 1 {
			assert.True(t, w.ask.Dismiss())
		}
		return first(ctx)
	}
	w.exporting.Export()
	assert.Equal(t, 1, asked)
	assert.False(t, w.workEnded, "the user does not want to")
	assert.Empty(t, w.exporting.Running())
	w.exporting.Again()
	assert.Equal(t, 2, asked)
	assert.Nil(t, w.win.Canvas().Overlays().Top(), "there is nothing to stop any more")
	assert.False(t, w.workEnded, "the report is shown")
	w.quit()
	assert.True(t, w.workEnded)
}

// The result of an export is reported also after the session has ended.
func TestLostDisplayReportsTheExport(t *testing.T) {
	w := packWindow(t, "a")
	assert.EqualError(t, w.displayLostError("X11"),
		"lost the connection to the X11 display, so the window was closed; its tabs will be restored on the next start")
	act(t, w, "Add All Assets to Export List")
	all := paneOf(w.tabs.current()).Document().Payloads.(model.PayloadList)
	first, asked := all[0].Open, 0
	all[0].Open = func(ctx context.Context) (io.ReadCloser, error) {
		asked++
		w.abandon("X11")
		return first(ctx)
	}
	w.exporting.Export()
	assert.Equal(t, 1, asked)
	assert.True(t, w.workEnded)
	assert.Regexp(t, `next start\. Exporting to .*\. Finished files are kept, and a report lists`,
		w.failure.Error())
}

// The end of a session closes the display and sends a signal at the same time.
func TestADisplayMayEndWithASignal(t *testing.T) {
	w := makeWindow(t)
	told := make(chan error, 2)
	w.options.OnEnded = func(failure error, _ func()) { told <- failure }
	go w.notifyEnded(nil)
	w.abandon("X11")
	failures := []error{<-told, <-told}
	assert.Contains(t, failures, nil)
	assert.Contains(t, failures, w.failure)
}

// An export must not overwrite the files of any tab.
func TestOpenFilesListsTheFilesOfAllTabs(t *testing.T) {
	w := packWindow(t, "ab", "bc")
	var want []string
	for _, tab := range w.tabs.all {
		want = append(want, tab.(*docTab).Path)
	}
	require.Len(t, want, 2)
	assert.Equal(t, want, w.OpenFiles())
}
