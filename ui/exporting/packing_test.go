package exporting

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fyne.io/fyne/v2/test"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
	"assay/model/modeltest"
	"assay/ui/host"
	"assay/ui/work"
)

// window is a window with fixed answers.
type window struct {
	host.None
	file, folder, new string
	shown             string
	told, explained   []string
	opened            string
}

func (w *window) AskFile(_ string, then func(path string))   { then(w.file) }
func (w *window) AskFolder(_ string, then func(path string)) { then(w.folder) }
func (w *window) AskNew(_, _ string, then func(path string)) { then(w.new) }
func (w *window) OpenPath(path string)                       { w.opened = path }
func (w *window) Shows(path string) bool                     { return path == w.shown }
func (w *window) Explain(_, text string)                     { w.explained = append(w.explained, text) }
func (w *window) Notify(n host.Notice) {
	w.told = append(w.told, n.Text)
	for _, a := range n.Actions {
		a.On()
	}
}

// joined is an archive that consists of its files, one after the other.
type joined []model.PackedFile

func (j joined) Len() int { return len(j) }

func (j joined) ComputesSums() bool { return false }

func (j joined) Write(ctx context.Context, w io.Writer) error {
	for _, f := range j {
		r, err := f.Open(ctx)
		if err != nil {
			return err
		}
		if _, err := io.Copy(w, r); err != nil {
			return err
		}
		r.Close()
	}
	return nil
}

// packer writes joined archives.
var packer = &model.Packer{
	Files: func(files []model.PackedFile, _ model.PackOptions) (model.ArchivePlan, error) {
		return joined(files), nil
	},
	Patch: func(_ context.Context, old, new *model.Document) (*model.Patch, error) {
		if old == new {
			return &model.Patch{ArchivePlan: joined{}, Removed: []string{"gone"}}, nil
		}
		f := model.PackedFile{Open: func(context.Context) (io.ReadCloser, error) {
			return io.NopCloser(new.Source.Reader(model.Span{Size: new.Source.Size()})), nil
		}}
		return &model.Patch{ArchivePlan: joined{f}, Changed: 1, Removed: []string{"gone"}}, nil
	},
	Replace: func(_ context.Context, _ *model.Document, _ int, with model.PackedFile) (model.ArchivePlan, error) {
		return joined{with}, nil
	},
}

// openJoined reads an archive with an asset for each line.
func openJoined(_ context.Context, src *model.Source) (*model.Document, error) {
	b, err := src.Bytes(model.Span{Size: src.Size()})
	root := &model.Node{Type: "Lines", Span: model.Span{Size: src.Size()}}
	d := model.NewDocument(src, "joined", "", root)
	var nodes model.List
	var all model.PayloadList
	at := int64(0)
	for line := range strings.Lines(string(b)) {
		n := &model.Node{Name: "line", Type: "Line", Key: line, Parent: root,
			Span: model.Span{Offset: at, Size: int64(len(line))}}
		n.Index = len(nodes)
		at += n.Size
		nodes, all = append(nodes, n), append(all, &model.Payload{Key: line, Node: n})
	}
	root.SetChildren(nodes)
	d.Payloads = all
	return d, err
}

func documentOf(t *testing.T, name, content string) *model.Document {
	t.Helper()
	d, err := openJoined(t.Context(), model.NewSource(name, strings.NewReader(content), int64(len(content))))
	require.NoError(t, err)
	return d
}

func TestMakerWritesPackages(t *testing.T) {
	test.NewTempApp(t)
	dir, folder := t.TempDir(), t.TempDir()
	for _, name := range []string{"a", "b"} {
		require.NoError(t, os.WriteFile(filepath.Join(folder, name), []byte(name+"\n"), 0o600))
	}
	linked := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(linked, "a"), []byte("a\n"), 0o600))
	modeltest.Symlink(t, filepath.Join(folder, "a"), filepath.Join(linked, "link"))
	w := &window{file: filepath.Join(folder, "b"), folder: folder}
	m := &Maker{Window: w, Group: work.Inline(t.Context()), Open: openJoined, Extension: ".x",
		PackerFor: func(path string) (*model.Packer, error) {
			if filepath.Ext(path) != ".x" {
				return nil, errors.New("give it the extension .x")
			}
			return packer, nil
		}}
	old, new := documentOf(t, "old.x", "1\n"), documentOf(t, "new.x", "2\n")
	for _, c := range []struct {
		name, content, told string
		do                  func()
	}{
		{"folder.x", "a\nb\n", "Folder.x was written: 2 assets, 4 bytes.", m.FromFolder},
		{"linked.x", "a\n", "1 asset, 2 bytes; 1 file skipped, the first because link is behind a link", func() {
			w.folder = linked
			m.FromFolder()
			w.folder = folder
		}},
		{"patch.x", "2\n", "the patch cannot remove 1 asset", func() { m.Patch(old, new) }},
		{"same.x", "", "no patch was written because nothing was added or changed.", func() { m.Patch(old, old) }},
		{"replaced.x", "b\n", "is b in it", func() { m.Replace(old, old.Root().Child(0)) }},
		{"other.zip", "", "give it the extension .x", m.FromFolder},
		{"shown.x", "", "never modifies open files", m.FromFolder},
	} {
		w.new, w.shown, w.told, w.opened = filepath.Join(dir, c.name), filepath.Join(dir, "shown.x"), nil, ""
		c.do()
		require.Len(t, w.told, 1, c.name)
		assert.Contains(t, strings.ToLower(w.told[0]), strings.ToLower(c.told))
		if c.content == "" {
			assert.NoFileExists(t, w.new)
			continue
		}
		b, err := os.ReadFile(w.new)
		require.NoError(t, err)
		assert.Equal(t, c.content, string(b))
		assert.Equal(t, w.new, w.opened)
	}
	assert.Equal(t, []string{"gone", "gone"}, w.explained)
}
