package exporting

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"fyne.io/fyne/v2"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
	"assay/model/export"
	"assay/ui/control"
)

func TestExportAndItsReport(t *testing.T) {
	r := newRig(t)
	d := document("made.bin", asset{name: "a.txt", kind: "Text", content: "a"},
		asset{name: "bad.txt", kind: "Text", fails: true}, asset{name: "../c.txt", kind: "Text", content: "c"})
	r.AddAll(d)
	r.Export()
	assert.Equal(t, []string{"a.txt=a", "c.txt=c"}, r.written())
	assert.Equal(t, "2 files exported (2 B), 1 renamed, 1 failed. What was not written stays in the list.",
		r.reportView.text.Text)
	assert.Equal(t, filepath.Join(r.folder, "bad.txt")+": bad.txt cannot be read", r.reportView.detail.Text)
	data := r.reportView.table
	var rows []string
	for i := range data.Len() {
		rows = append(rows, data.Cell(i, 0).Text+" "+data.Cell(i, 1).Text+" "+data.Cell(i, 1).Hint)
	}
	assert.Equal(t, []string{"failed bad.txt bad.txt cannot be read", "done c.txt original name: ../c.txt",
		"done a.txt "}, rows, "what went wrong comes first")
	r.window.Canvas().Capture()

	var text, structured strings.Builder
	require.NoError(t, writeReport(r.reportView.report, "report.JSON", &structured))
	assert.True(t, json.Valid([]byte(structured.String())))
	require.NoError(t, writeReport(r.reportView.report, "report.txt", &text))
	assert.Contains(t, text.String(), "failed    key1  "+filepath.Join(r.folder, "bad.txt")+": bad.txt cannot be read")

	r.reportView.focusList()
	assert.Equal(t, []string{"bad.txt"}, r.targets(), "what was exported has left the list")
	r.Clear()
	r.AddAll(d)
	assert.Equal(t, []string{"a (2).txt", "bad.txt", "c (2).txt"}, r.targets(), "the next export would number")
	assert.Equal(t, []string{"a.txt", "", "c.txt"}, []string{r.list.planned(0).Same, r.list.planned(1).Same,
		r.list.planned(2).Same}, "but for what is there with the same content")
	assert.Equal(t, "a.txt", r.list.Cell(0, fileColumn).Text)
	assert.Equal(t, "1 file, 0 B, 2 with the same content", r.footer.text.Text)
	r.list.hover(0)
	assert.Equal(t, "a.txt has the same content, so this file is not written.", r.lastHint())
	r.Export()
	assert.Equal(t, []string{"a.txt=a", "c.txt=c"}, r.written())
	assert.Nil(t, r.running)
}

func TestAddingDisplaysTheList(t *testing.T) {
	r, d := newRig(t), sample()
	r.Add(d, nodes(t, d, "/items/0"))
	r.Export()
	require.Equal(t, []fyne.CanvasObject{r.reportView.body}, r.body.Objects)
	assert.True(t, r.reportView.openButton.Visible())
	r.Add(d, nodes(t, d, "/items/1"))
	assert.Equal(t, []fyne.CanvasObject{r.main}, r.body.Objects)
	require.NoError(t, os.RemoveAll(r.folder))
	r.reportView.show(r.reportView.report, r.folder)
	assert.False(t, r.reportView.openButton.Visible(), "there is no folder")
}

func TestClosedPanelWritesTheReport(t *testing.T) {
	r := newRig(t)
	d := document("made.bin", asset{name: "a.txt", content: "a"}, asset{name: "slow.txt", content: "b"},
		asset{name: "c.txt", content: "c"})
	d.Payloads.(model.PayloadList)[1].Open = func(ctx context.Context) (io.ReadCloser, error) {
		r.Close() // with the window
		return nil, ctx.Err()
	}
	r.AddAll(d)
	assert.Empty(t, r.Running())
	r.Export()
	var names []string
	for _, f := range r.written() {
		name, _, _ := strings.Cut(f, "=")
		names = append(names, name)
	}
	assert.Contains(t, names, "assay-export-report.txt")
	assert.NotContains(t, names, "slow.txt", "whole files only")
	b, err := os.ReadFile(filepath.Join(r.folder, "assay-export-report.txt"))
	require.NoError(t, err)
	assert.Contains(t, string(b), "slow.txt: cancel")
}

func TestAnExportHoldsItsFilesOpen(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.bin")
	require.NoError(t, os.WriteFile(path, []byte("content"), 0o600))
	src, err := model.OpenFile(path)
	require.NoError(t, err)
	r := newRig(t)
	d := model.NewDocument(src, "bytes", "", &model.Node{})
	p := model.SpanPayload(d, model.Span{Size: 7})
	open := p.Open
	p.Open = func(ctx context.Context) (io.ReadCloser, error) {
		r.Clear()
		src.Close() // its tab
		return open(ctx)
	}
	p.Name = "whole.bin"
	d.Payloads = model.PayloadList{p}
	r.AddAll(d)
	r.Export()
	assert.Equal(t, []string{"whole.bin=content"}, r.written())
}

func TestExcessiveExportIsConfirmed(t *testing.T) {
	r := newRig(t)
	d := document("made.bin")
	var all model.PayloadList
	for i := range 300 {
		all = append(all, &model.Payload{Key: fmt.Sprint(i), Name: fmt.Sprint(i), Size: 8 << 20,
			Stored: model.Span{Size: 8 << 20}, Open: func(context.Context) (io.ReadCloser, error) {
				return io.NopCloser(strings.NewReader("in truth it is small")), nil
			}})
	}
	d.Payloads = all
	r.AddAll(d)
	assert.Equal(t, "300 files, 2.5 GB; expands to far more than its stored size", r.footer.text.Text)

	r.onShow = func() func() { r.tap("Stop"); return func() {} }
	r.Export()
	assert.NoDirExists(t, r.folder)
	assert.Contains(t, r.lastHint(), "Export canceled. Nothing was written.")

	r.onShow = func() func() { r.tap("Export Anyway"); return func() {} }
	r.Export()
	assert.Len(t, r.written(), 300)
}

// The list must not export an asset again: the next press exports only new ones.
func TestExportedAssetsAreRemovedAndExportedAgain(t *testing.T) {
	r, d := newRig(t), document("made.bin", asset{name: "a.mesh", kind: "Mesh", content: "a"},
		asset{name: "bad.txt", kind: "Text", fails: true})
	r.AddAll(d)
	r.AddBytes(d, model.Span{Offset: 2, Size: 3})
	r.assets.items[0].setForm("upper")
	r.Export()
	r.reportView.focusList()
	assert.Equal(t, []string{"bad.txt"}, r.targets())
	assert.Equal(t, "failed: bad.txt cannot be read", r.list.Cell(0, fileColumn).Hint)
	assert.Contains(t, r.list.Cell(0, fileColumn).Tip, "bad.txt cannot be read")
	first := r.written()
	require.NoError(t, os.RemoveAll(r.folder))
	r.settings.folder.SetText(filepath.Join(t.TempDir(), "other"))
	r.reportView.repeatButton.OnTapped()
	assert.Equal(t, first, r.written(), "in the same form, to the same folder")
	r.Forget(d)
	require.NoError(t, os.RemoveAll(r.folder))
	r.Again()
	assert.NoDirExists(t, r.folder, "a closed document is not held open")
	assert.False(t, r.reportView.repeatButton.Visible())
	assert.Empty(t, r.latest.assetCount)
}

// Export Again is available after each export, also after one without the list, and after a reload.
func TestExportAgainAfterExportAll(t *testing.T) {
	r, d := newRig(t), sample()
	r.settings.suggested = suggestionFor(d)
	r.NewDocumentSlot(Offer{Document: func() *model.Document { return d }}).Take()
	r.tap("All")
	first := r.written()
	require.Len(t, first, 4)
	assert.True(t, r.reportView.repeatButton.Visible())
	require.NoError(t, os.RemoveAll(r.folder))
	r.Replace(d, sample())
	r.Again()
	assert.Equal(t, first, r.written())
	require.NoError(t, os.WriteFile(filepath.Join(r.folder, "m.mesh"), []byte("edited"), 0o600))
	r.Again()
	assert.Equal(t, "4 files exported (16 B), 2 renamed, 3 replaced.", r.reportView.text.Text)
	assert.Contains(t, r.written(), "m.mesh=edited", "only its own files are replaced")
	assert.Contains(t, r.written(), "m (2).mesh=mesh")
	r.settings.conflict.SetSelected("Skip")
	r.Again()
	assert.Equal(t, "3 files exported (12 B), 1 renamed, 3 replaced, 1 skipped.", r.reportView.text.Text)
}

// Skipped assets stay in the list, so that the user can choose another rule for them.
func TestSkippedAssetsStayInTheList(t *testing.T) {
	r := newRig(t)
	require.NoError(t, os.MkdirAll(r.folder, 0o700))
	for name, content := range map[string]string{"same.txt": "a", "other.txt": "x"} {
		require.NoError(t, os.WriteFile(filepath.Join(r.folder, name), []byte(content), 0o600))
	}
	r.settings.conflict.SetSelected("Skip")
	r.AddAll(document("made.bin", asset{name: "same.txt", content: "a"}, asset{name: "other.txt", content: "b"},
		asset{name: "new.txt", content: "c"}))
	assert.Equal(t, "1 file, 1 B, 1 with the same content, 1 existing (skipped)", r.footer.text.Text)
	r.Export()
	assert.Equal(t,
		"1 file exported (1 B), 1 skipped, 1 already there, unchanged. What was not written stays in the list.",
		r.reportView.text.Text)
	r.reportView.focusList()
	assert.Equal(t, []string{"other.txt"}, r.targets())
	assert.Equal(t, "exists, skipped", r.list.Cell(0, fileColumn).Hint)
	r.settings.conflict.SetSelected("Overwrite")
	assert.Equal(t, "exists, overwritten", r.list.Cell(0, fileColumn).Hint)
	r.Export()
	assert.Equal(t, []string{"new.txt=c", "other.txt=b", "same.txt=a"}, r.written())
	assert.Zero(t, r.Len())
}

func TestEscapeStopsAnExport(t *testing.T) {
	r := newRig(t)
	assert.False(t, r.StopExport())
	d := document("made.bin", asset{name: "a.txt", content: "a"}, asset{name: "b.txt", content: "b"})
	all := d.Payloads.(model.PayloadList)
	var once sync.Once // assets are read by several goroutines, and only one stops the export
	for _, p := range all {
		open := p.Open
		p.Open = func(ctx context.Context) (io.ReadCloser, error) {
			once.Do(func() {
				if r.running != nil {
					assert.True(t, r.StopExport())
				}
			})
			return open(ctx)
		}
	}
	r.AddAll(d)
	r.Export()
	assert.NotZero(t, r.Len(), "what was not written stays in the list")
}

func TestQuestionGetsTheFocus(t *testing.T) {
	r := newRig(t)
	r.Focus()
	before := r.window.Canvas().Focused()
	ctx, stop := context.WithCancel(t.Context())
	r.onShow = func() func() { stop(); return nil }
	r.askUser(ctx, existsQuestion(export.Item{Target: "a.txt"}, r.folder))
	first, ok := r.window.Canvas().Focused().(*control.Button)
	require.True(t, ok)
	assert.Equal(t, "Keep Both", first.Text)
	first.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	assert.Empty(t, r.question.Objects)
	assert.Equal(t, before, r.window.Canvas().Focused())
}
