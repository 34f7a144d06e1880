package gpbtest

import (
	"cmp"
	"fmt"
	"strings"

	"assay/formats/gpb"
	"assay/model"
)

// objects returns the objects to write: in October 2011 there was no container of animations, and each was an object of
// its own.
func (w *writer) objects(objects []gpb.Object) []gpb.Object {
	if !w.layout.bareAnimation {
		return objects
	}
	var out []gpb.Object
	for _, o := range objects {
		if a, ok := o.(*gpb.Animations); ok {
			for _, animation := range a.List {
				out = append(out, animation)
			}
			continue
		}
		out = append(out, o)
	}
	return out
}

// object writes one object of any type.
func (w *writer) object(o gpb.Object) {
	switch o := o.(type) {
	case *gpb.Scene:
		w.scene(o)
	case *gpb.Node:
		w.node(o)
	case *gpb.Animations:
		w.animations(o)
	case *gpb.Animation:
		w.animation(o)
	case *gpb.Channel:
		w.channel(o)
	case *gpb.Model:
		w.model(o)
	case *gpb.Material:
		w.material(o)
	case *gpb.Effect:
		w.begin(o.ID, gpb.TypeEffect)
		w.text(o.Vertex)
		w.text(o.Fragment)
	case *gpb.Camera:
		w.camera(o)
	case *gpb.Light:
		w.light(o)
	case *gpb.Mesh:
		w.mesh(o)
	case *gpb.MeshPart:
		w.meshPart(o)
	case *gpb.Skin:
		w.skin(o)
	case *gpb.Font:
		w.font(o)
	default:
		w.fail(fmt.Errorf("%T is not an object", o))
	}
}

func (w *writer) scene(s *gpb.Scene) {
	w.begin(s.ID, gpb.TypeScene)
	list(w, s.Nodes, w.node)
	if w.layout.tail == tailInScene {
		w.sceneTail(s)
	}
}

func (w *writer) sceneTail(s *gpb.Scene) {
	w.text(s.ActiveCamera)
	w.f32(s.Ambient[:]...)
}

func (w *writer) node(n *gpb.Node) {
	w.begin(n.ID, gpb.TypeNode)
	if n.Joint {
		w.u32(2)
	} else {
		w.u32(1)
	}
	w.f32(n.Transform[:]...)
	if w.layout.parentID {
		w.text(n.Parent)
	}
	list(w, n.Children, w.node)
	if n.Camera != nil {
		w.camera(n.Camera)
	} else {
		w.u8(0)
	}
	if n.Light != nil {
		w.light(n.Light)
	} else {
		w.u8(0)
	}
	switch {
	case n.Model != nil && n.Model.Mesh != "" && !strings.Contains(n.Model.Mesh, "#"):
		w.text(n.Model.Mesh) // no reference, and so no model follows
	case n.Model != nil:
		w.model(n.Model)
	case w.layout.hashXref:
		w.text("#")
	default:
		w.u32(0)
	}
}

func (w *writer) camera(c *gpb.Camera) {
	if w.layout.tail == tailAtEnd {
		w.begin(c.ID, gpb.TypeMesh) // as the exporter does by mistake
	} else {
		w.begin(c.ID, gpb.TypeCamera)
	}
	if c.Orthographic {
		w.u8(2)
		w.f32(c.Aspect, c.Near, c.Far, c.Width, c.Height)
		return
	}
	w.u8(1)
	w.f32(c.Aspect, c.Near, c.Far, c.FieldOfView)
}

func (w *writer) light(l *gpb.Light) {
	if !w.layout.exporter {
		w.begin(l.ID, gpb.TypeLight)
	}
	w.u8(l.Kind)
	w.f32(l.Color[:]...)
	switch {
	case l.Kind == gpb.Directional:
	case w.layout.attenuation:
		w.f32(l.Attenuation[:]...)
		if l.Kind == gpb.Spot {
			w.f32(l.FalloffAngle, l.FalloffExponent)
		}
	default:
		w.f32(l.Range)
		if l.Kind == gpb.Spot {
			w.f32(l.InnerAngle, l.OuterAngle)
		}
	}
}

func (w *writer) model(m *gpb.Model) {
	w.begin(m.ID, gpb.TypeModel)
	w.text(m.Mesh)
	if m.Skin != nil {
		w.u8(1)
		w.skin(m.Skin)
	} else {
		w.u8(0)
	}
	if !w.layout.inlineMaterials {
		list(w, m.Materials, w.text)
		return
	}
	list(w, m.Inline, w.material)
}

func (w *writer) skin(s *gpb.Skin) {
	w.begin(s.ID, gpb.TypeMeshSkin)
	w.f32(s.BindShape[:]...)
	if w.layout.rootJoint {
		w.text(s.RootJoint)
	}
	list(w, s.Joints, w.text)
	w.numbers(s.BindPoses)
	if w.layout.skinBounds {
		w.bounds(s.Bounds)
	}
}

func (w *writer) bounds(b gpb.Bounds) {
	w.f32(b.Min[:]...)
	w.f32(b.Max[:]...)
	w.f32(b.Center[:]...)
	w.f32(b.Radius)
}

func (w *writer) material(m *gpb.Material) {
	w.begin(m.ID, gpb.TypeMaterial)
	w.u32(len(m.Parameters))
	for _, p := range m.Parameters {
		w.text(p.Name)
		w.numbers(p.Value)
		w.u32(int(p.Type))
	}
	w.text(m.Effect)
}

func (w *writer) mesh(m *gpb.Mesh) {
	w.begin(m.ID, gpb.TypeMesh)
	w.u32(len(m.Format))
	for _, e := range m.Format {
		w.u32(int(e.Usage))
		w.u32(int(e.Size))
	}
	w.blob(m.Vertices)
	w.bounds(m.Bounds)
	list(w, m.Parts, w.meshPart)
	w.copy(m.Surplus.Source, model.Span{Offset: m.Surplus.Offset, Size: 4 * m.Surplus.Count})
}

func (w *writer) meshPart(p *gpb.MeshPart) {
	w.begin(p.ID, gpb.TypeMeshPart)
	w.u32(int(p.Primitive))
	w.u32(int(p.IndexFormat))
	size := p.Indices.Count * p.Indices.Form.Size()
	w.u32(int(size))
	w.copy(p.Indices.Source, model.Span{Offset: p.Indices.Offset, Size: size})
}

func (w *writer) animations(a *gpb.Animations) {
	w.begin(a.ID, gpb.TypeAnimations)
	list(w, a.List, w.animation)
}

func (w *writer) animation(a *gpb.Animation) {
	if w.layout.bareAnimation {
		w.begin(cmp.Or(a.ID, a.Name), gpb.TypeAnimations)
	} else {
		w.begin(a.ID, gpb.TypeAnimation)
		w.text(a.Name)
	}
	list(w, a.Channels, w.channel)
}

func (w *writer) channel(c *gpb.Channel) {
	w.begin(c.ID, gpb.TypeAnimationChannel)
	w.text(c.Target)
	w.u32(int(c.Attribute))
	w.times(c.Times)
	w.numbers(c.Values)
	w.numbers(c.TangentsIn)
	w.numbers(c.TangentsOut)
	w.numbers(c.Interpolation)
}

// times writes key times in the form of the layout.
func (w *writer) times(n model.Numbers) {
	if n.Count == 0 || w.layout.floatTimes == (n.Form == model.F32) {
		w.numbers(n)
		return
	}
	values, err := n.Slice(0, n.Count)
	if err != nil {
		w.fail(err)
	}
	w.u32(len(values))
	for _, t := range values {
		switch t := t.(type) {
		case uint64:
			w.f32(float32(t))
		case float32:
			w.u32(int(t))
		}
	}
}

func (w *writer) font(f *gpb.Font) {
	w.begin(f.ID, gpb.TypeFont)
	w.text(f.Family)
	w.u32(int(f.Style))
	if w.layout.fontFlag {
		w.flag(f)
	}
	if f.Unicode {
		return
	}
	sizes := f.Sizes
	if w.layout.fontSizes {
		w.u32(len(sizes))
	} else if len(sizes) != 1 {
		w.fail(fmt.Errorf("font %q has %d sizes, not one", f.ID, len(sizes)))
		return
	}
	for _, s := range sizes {
		w.fontSize(s)
	}
}

// flag writes the flag of a font, and the file that it announces.
func (w *writer) flag(f *gpb.Font) {
	if !f.Unicode {
		w.u32(0)
		return
	}
	w.u32(1)
	w.numbers(f.FileSizes)
	w.blob(f.File)
}

func (w *writer) fontSize(s *gpb.FontSize) {
	w.u32(int(s.Size))
	w.text(s.Charset)
	glyphs, err := s.Glyphs.All()
	if err != nil {
		w.fail(err)
	}
	w.u32(len(glyphs))
	for _, g := range glyphs {
		w.u32(int(g.Index))
		w.u32(int(g.Width))
		if w.layout.bearing {
			w.u32(int(uint32(g.BearingX)))
			w.u32(int(g.Advance))
		}
		w.f32(g.UV[:]...)
	}
	w.u32(int(s.Width))
	w.u32(int(s.Height))
	w.blob(s.Map)
	if w.layout.fontFormat {
		w.u32(int(s.Format))
	}
}
