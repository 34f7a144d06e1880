package exporting

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"
	"github.com/stretchr/testify/require"

	"assay/model"
	"assay/ui/ask"
	"assay/ui/control"
	"assay/ui/doc"
	"assay/ui/host"
	"assay/ui/paint"
	"assay/ui/work"
)

// asset is an asset of a test document.
type asset struct {
	name, kind, content string
	fails               bool
}

// document returns a document whose list has an item for each asset; its head is not an asset.
func document(name string, assets ...asset) *model.Document {
	b := []byte("the bytes of " + name)
	src := model.NewSource(name, bytes.NewReader(b), int64(len(b)))
	root := &model.Node{Type: "File", Span: model.Span{Size: int64(len(b))}}
	items := &model.Node{Name: "items", Type: "Item[]"}
	var list model.List
	var all model.PayloadList
	for i, a := range assets {
		n := &model.Node{Name: model.IndexName(i), Type: "Item", Key: fmt.Sprint("key", i)}
		list = append(list, n)
		open := func(context.Context) (io.ReadCloser, error) {
			if a.fails {
				return nil, fmt.Errorf("%s cannot be read", a.name)
			}
			return io.NopCloser(strings.NewReader(a.content)), nil
		}
		p := &model.Payload{Key: n.Key, Name: a.name, Type: a.kind, Node: n, Size: int64(len(a.content)), Open: open}
		if a.kind == "Mesh" {
			p.Forms = []model.Form{{Name: "raw"},
				{Name: "upper", Extension: ".up", Write: func(_ context.Context, w io.Writer) error {
					_, err := io.WriteString(w, strings.ToUpper(a.content))
					return err
				}}}
		}
		all = append(all, p)
	}
	items.SetChildren(list)
	root.SetChildren(model.List{{Name: "head", Type: "u32", Value: uint64(7), Span: model.Span{Size: 4}}, items})
	d := model.NewDocument(src, "made", "1", root)
	if len(all) > 0 {
		d.Payloads = all
	}
	return d
}

func sample() *model.Document {
	return document("made.bin", asset{name: "dir/a.txt", kind: "Text", content: "aaa"},
		asset{name: "dir/b.txt", kind: "Text", content: "bb"},
		asset{name: "m.mesh", kind: "Mesh", content: "mesh"},
		asset{name: "../../up.txt", kind: "Text", content: "hostile"})
}

type rig struct {
	*Panel
	*surroundings
	t      *testing.T
	window fyne.Window
	folder string
}

// surroundings is a window that records the requests of the panel.
type surroundings struct {
	host.None
	notices []string
	hints   []string
	popped  *fyne.Menu
	gone    []string // to what
	onShow  func() (undo func())
	saved   map[string][]byte // files, by the suggested name
	copied  string
	files   []string // files of tabs
}

func (s *surroundings) Notify(n host.Notice)               { s.notices = append(s.notices, n.Text) }
func (s *surroundings) ShowHint(text string)               { s.hints = append(s.hints, text) }
func (s *surroundings) OpenFiles() []string                { return s.files }
func (s *surroundings) Copy(text string)                   { s.copied = text }
func (s *surroundings) Menu(m *fyne.Menu, _ fyne.Position) { s.popped = m }
func (s *surroundings) ShowExport() (undo func()) {
	if s.onShow == nil {
		return func() {}
	}
	return s.onShow()
}

func (s *surroundings) Save(name string, write func(out io.Writer) error) {
	var b bytes.Buffer
	if err := write(&b); err != nil {
		s.notices = append(s.notices, err.Error())
		return
	}
	if s.saved == nil {
		s.saved = make(map[string][]byte)
	}
	s.saved[name] = b.Bytes()
}

func (s *surroundings) Reveal(d *model.Document, n *model.Node) {
	s.gone = append(s.gone, fmt.Sprint(d.Source.Name(), n.Path()))
}

func (s *surroundings) RevealAsset(path string, i int) {
	s.gone = append(s.gone, fmt.Sprintf("%s: asset %d", path, i))
}

func newRig(t *testing.T) *rig {
	t.Helper()
	test.NewTempApp(t)
	r := &rig{t: t, folder: filepath.Join(t.TempDir(), "out"), surroundings: new(surroundings)}
	r.window = test.NewTempWindow(t, widget.NewLabel(""))
	group := work.Inline(context.Background())
	r.Panel = New(r.surroundings, r.window, ask.New(r.surroundings, r.window, group, paint.NewStyle()),
		paint.NewStyle(), group,
		filepath.Join(t.TempDir(), "presets.json"))
	t.Cleanup(r.Panel.Close)
	slot := r.NewSlot()
	slot.Take()
	r.window.SetContent(slot.Content())
	r.window.Resize(fyne.NewSize(420, 400))
	r.settings.folder.SetText(r.folder)
	r.notices, r.hints = nil, nil
	return r
}

// nodes returns the nodes at paths of a document.
func nodes(t *testing.T, d *model.Document, paths ...string) doc.Nodes {
	t.Helper()
	var list []*model.Node
	for _, p := range paths {
		n, err := d.Find(p)
		require.NoError(t, err)
		list = append(list, n)
	}
	return func(ctx context.Context) ([]*model.Node, bool, error) { return list, false, ctx.Err() }
}

// targets returns the planned file names in the list.
func (r *rig) targets() []string {
	var all []string
	for row := range r.list.Len() {
		item := r.list.planned(row)
		require.NotNil(r.t, item, "every row is planned")
		text := item.Target
		if item.Problem != "" {
			text = "! " + item.Problem
		}
		all = append(all, text)
	}
	return all
}

// written returns the files of the folder with their content.
func (r *rig) written() []string {
	var all []string
	require.NoError(r.t, filepath.WalkDir(r.folder, func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		rel, _ := filepath.Rel(r.folder, path)
		all = append(all, filepath.ToSlash(rel)+"="+string(b))
		return err
	}))
	sort.Strings(all)
	return all
}

func (r *rig) lastHint() string { return r.hints[len(r.hints)-1] }

// choose chooses an item of the open menu by its path of labels.
func (r *rig) choose(labels ...string) {
	m := r.popped
	for _, label := range labels {
		require.NotNil(r.t, m, label)
		found := false
		for _, item := range m.Items {
			if item.Label == label {
				found = true
				if m = item.ChildMenu; m == nil {
					item.Action()
				}
				break
			}
		}
		require.True(r.t, found, label)
	}
}

// tap presses the button with a label, wherever it is in the window.
func (r *rig) tap(label string) {
	for _, o := range test.LaidOutObjects(r.content) {
		if b, ok := o.(*control.Button); ok && b.Text == label && b.Visible() {
			test.Tap(b)
			return
		}
	}
	require.Fail(r.t, "no button "+label)
}
