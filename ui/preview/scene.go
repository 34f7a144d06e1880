package preview

import (
	"cmp"
	"context"
	"path"
	"strings"
	"sync"
	"sync/atomic"

	"fyne.io/fyne/v2"

	"assay/model"
	"assay/model/render"
	"assay/model/scene"
	"assay/ui/host"
	"assay/ui/paint"
	"assay/ui/viewport"
	"assay/ui/work"
)

type scenes struct {
	host          host.Host
	viewport      *viewport.Viewport
	model         atomic.Pointer[render.Model] // displayed model
	document      *model.Document
	preview       *Preview
	group         *work.Group
	loading       sync.Mutex // prevents a canceled scene from being in memory beside the next
	reading       *work.Lane // reads the keys of a channel
	index         sceneIndex
	expectsReload bool // the next scene is a newly decoded one of the current scene
	keepsOutline  bool // keep the outline during the next Follow
}

// sceneIndex holds the parts of a scene by the data of the document that they were made from.
type sceneIndex struct {
	nodes      map[int64]*scene.Node // by offset
	named      map[string]*scene.Node
	lists      map[*model.Node]*scene.Node // the nodes with the points of list elements
	parts      map[int64]render.Piece      // parts of meshes, by offset
	animations map[int64]*scene.Animation  // by offset, as are the channels
	channels   map[int64]*scene.Channel
}

func indexOf(s *scene.Scene) sceneIndex {
	x := sceneIndex{make(map[int64]*scene.Node), make(map[string]*scene.Node), make(map[*model.Node]*scene.Node),
		make(map[int64]render.Piece), make(map[int64]*scene.Animation), make(map[int64]*scene.Channel)}
	s.Walk(func(n *scene.Node, _ scene.Matrix) {
		if n.Name != "" && x.named[n.Name] == nil {
			x.named[n.Name] = n
		}
		if n.Points != nil && n.Points.List != nil {
			x.lists[n.Points.List] = n
		}
		if n.Mesh != nil {
			for _, p := range n.Mesh.Parts {
				if p != nil && p.Offset != 0 && x.parts[p.Offset].Node == nil {
					x.parts[p.Offset] = render.Piece{Node: n, Part: p}
				}
			}
		}
		if n.Offset != 0 && x.nodes[n.Offset] == nil {
			x.nodes[n.Offset] = n
		}
	})
	for _, a := range s.Animations {
		if a.Offset != 0 {
			x.animations[a.Offset] = a
		}
		for _, c := range a.Channels {
			if c.Offset != 0 {
				x.channels[c.Offset] = c
			}
		}
	}
	return x
}

var _ viewer = (*scenes)(nil)

// zUpChoices stores whether z is the up axis in the scenes of a project.
const zUpChoices = host.Choices[bool]("scene.up")

// clipChoices stores the initial clip for the scenes of a project; the default is the pose of the file.
const clipChoices = host.Choices[string]("scene.pose")

func newScenes(h host.Host, style *paint.Style, group *work.Group, p *Preview) *scenes {
	s := &scenes{host: h, preview: p, group: group, reading: group.Lane(),
		viewport: viewport.New(h, style, group, p.captionOf(model.SceneView))}
	s.viewport.OnSelect, s.viewport.OnPoint = s.selectNode, s.selectPoint
	s.viewport.OnUp = func(z bool) { zUpChoices.Set(host.ProjectOf(s.preview.viewDocument), z) }
	s.viewport.OnClip = func(name string) { clipChoices.Set(host.ProjectOf(s.preview.viewDocument), name) }
	return s
}

func (s *scenes) Content() fyne.CanvasObject { return s.viewport.Content() }

// manyVertices is the size of a model, in vertices, above which it is released before the next one is loaded: two of
// that size use too much memory.
const manyVertices = 1 << 19

// Load prepares a scene. The displayed model is kept if it is of the same scene, or released first if it is large.
func (s *scenes) Load(ctx context.Context, v model.View) (show func(), err error) {
	next := v.(*scene.Scene)
	if m := s.model.Load(); m != nil && m.Scene() == next {
		return func() {}, nil
	} else if m != nil && m.Vertices() > manyVertices {
		s.release(ctx)
	}
	s.loading.Lock()
	defer s.loading.Unlock()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	m, err := render.Load(ctx, next)
	if m == nil || m.Empty() {
		return nil, err
	}
	index := indexOf(next)
	return func() {
		s.index = index
		s.model.Store(m)
		if previous := s.viewport.Scene(); s.expectsReload && previous != nil && previous.Name == next.Name {
			s.viewport.ReplaceModel(m)
			s.keepsOutline = true
		} else {
			s.viewport.SetModel(m)
		}
		s.expectsReload = false
		if d := s.preview.viewDocument; d != nil && d.Source != nil {
			if z, ok := zUpChoices.Of(d.Source.Home()); ok {
				s.viewport.SetUp(z)
			}
			if name, ok := clipChoices.Of(d.Source.Home()); ok {
				s.viewport.SetClip(name)
			}
		}
	}, err
}

// release releases the displayed scene, and returns after its memory is free. Its picture stays.
func (s *scenes) release(ctx context.Context) {
	released := make(chan struct{})
	s.group.Do(ctx, func() {
		s.model.Store(nil)
		s.viewport.Release()
		close(released)
	})
	select {
	case <-released:
		s.viewport.Wait()
	case <-ctx.Done():
	}
}

func (s *scenes) Clear() {
	s.model.Store(nil)
	s.viewport.SetModel(nil)
}

// Follow outlines the node of the scene at the selected node of the document, and plots the channel of an animation. If
// the byte at offset belongs to one of its keys, the scene is posed at that key. An item with the key of a node, such
// as a table entry, selects that node.
func (s *scenes) Follow(d *model.Document, n *model.Node, offset int64) {
	s.document = d
	s.reading.Stop()
	if s.keepsOutline {
		s.keepsOutline = false
		return
	}
	key := "" // key of an item elsewhere in the file
	for ; n != nil; n = n.Parent {
		if c := s.index.channels[n.Offset]; c != nil && n.Parent != nil {
			s.plotChannel(c, offset)
			return
		}
		if node := s.index.lists[n.Parent]; node != nil {
			if point := n.Index - n.Parent.FirstElementIndex(); point >= 0 && point < node.Points.Count {
				s.viewport.HideChannel()
				s.outlinePoint(node, point)
				return
			}
		}
		if found := s.index.nodes[n.Offset]; found != nil && found.Name == n.Key && n.Key != "" {
			s.viewport.HideChannel()
			s.viewport.Select(found)
			return
		}
		if p, ok := s.index.parts[n.Offset]; ok && !n.Leaf() && isIn(p.Node.Mesh, d) {
			s.viewport.HideChannel()
			s.viewport.SelectPiece(p)
			return
		}
		if a := s.index.animations[n.Offset]; a != nil && n.Parent != nil {
			s.viewport.Play(a)
			key = ""
			break
		}
		if key == "" && n.Parent != nil {
			key = n.Key
		}
	}
	s.viewport.HideChannel()
	_, name, _ := strings.Cut(key, " ") // keys of a text begin with a kind: node wall
	s.viewport.Select(cmp.Or(s.index.named[key], s.index.named[name]))
}

// plotChannel reads the keys of a channel and plots it.
func (s *scenes) plotChannel(c *scene.Channel, offset int64) {
	s.reading.Go(func(context.Context) func() {
		k, _, err := c.Curve()
		if err != nil {
			return nil
		}
		var time float32
		selected := false
		if c.KeyAt != nil {
			time, selected = c.KeyAt(offset)
		}
		return func() { s.viewport.ShowChannel(c, k, time, selected) }
	})
}

// outlinePoint reads the position of a point of a node and outlines it.
func (s *scenes) outlinePoint(node *scene.Node, point int) {
	s.reading.Go(func(context.Context) func() {
		var dot [1]scene.Dot
		if node.Points.Read(point, dot[:]) != nil {
			return nil
		}
		return func() { s.viewport.SelectPoint(node, dot[0].Position) }
	})
}

// selectPoint selects the node of the document for one of the points of a node.
func (s *scenes) selectPoint(node *scene.Node, point int) {
	list := node.Points.List
	if index := list.FirstElementIndex() + point; s.document != nil && index < list.Len() {
		s.host.Reveal(s.document, list.Child(index))
	}
}

// selectNode selects the node of the document for a node of the scene.
func (s *scenes) selectNode(n *scene.Node) {
	if n == nil || s.document == nil {
		return
	}
	if n.Offset == 0 { // a mesh by itself
		if p := s.viewport.SelectedPiece().Part; p != nil && p.Offset != 0 && isIn(n.Mesh, s.document) {
			s.revealPart(p)
		}
		return
	}
	for node := s.document.Owner(n.Offset); node != nil; node = node.Parent {
		if node.Offset == n.Offset && node.Key == n.Name {
			s.host.Reveal(s.document, node)
			return
		}
	}
}

// isIn reports whether a mesh is stored in a document: a scene may have meshes of other files.
func isIn(m *scene.Mesh, d *model.Document) bool {
	return m.File == "" || d.Source != nil && path.Base(m.File) == d.Source.Name()
}

// revealPart selects the node of the document for a part of a mesh.
func (s *scenes) revealPart(p *scene.Part) {
	for node := s.document.Owner(p.Offset); node != nil && node.Offset == p.Offset; node = node.Parent {
		if !node.Leaf() {
			s.host.Reveal(s.document, node)
			return
		}
	}
}
