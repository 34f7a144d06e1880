package gpb

import (
	"cmp"
	"slices"

	"assay/formats/decode"
	"assay/model"
)

// recover decodes what the reading did not come to but the table leads to, and says what is wrong with the table.
func (r *reader) recover() {
	if r.versionNode == nil {
		return
	}
	done := r.soundObjects()
	size := r.c.Source().Size()
	var missing []int
	for i, ref := range r.refs {
		off := int64(ref.Offset)
		n := r.refNodes[i]
		switch {
		case off == 0 || r.seen[i] != nil || ref.Type.String() == "":
		case off >= size:
			r.warn(n, model.Error, "%q should be at %#x, outside of the %d bytes of the file", ref.ID, off, size)
		case off < r.first:
			r.warn(n, model.Error, "%q should be at %#x, inside of the reference table", ref.ID, off)
		case done.contain(off):
			r.warn(n, model.Warning, "%q should be at %#x, but no %s begins there", ref.ID, off, ref.Type)
		default:
			missing = append(missing, i)
		}
	}
	slices.SortStableFunc(missing, func(a, b int) int {
		return cmp.Compare(r.refs[a].Offset, r.refs[b].Offset)
	})
	r.readMissing(missing)
}

// ranges is spans in the order of their offsets that do not overlap.
type ranges []model.Span

func (s ranges) contain(off int64) bool {
	i, _ := slices.BinarySearchFunc(s, off, func(v model.Span, off int64) int { return cmp.Compare(v.End(), off+1) })
	return i < len(s) && s[i].Contains(off)
}

// soundObjects gives the spans of what was read as whole objects: nothing else begins inside.
func (r *reader) soundObjects() ranges {
	var done ranges
	add := func(n *model.Node) {
		if !n.Leaf() && r.sound(n) {
			done = append(done, n.Span)
		}
	}
	for i := range r.root.Len() {
		n := r.root.Child(i)
		if n.Name != "meshes" && n.Name != "objects" {
			add(n)
			continue
		}
		for k := range n.Len() {
			add(n.Child(k))
		}
	}
	return done
}

// readMissing decodes the objects of references, in the order of their offsets, into a list of their own. References
// of a hostile file may make each other's bytes be read again and again; that ends when a few times the file was read.
func (r *reader) readMissing(missing []int) {
	if len(missing) == 0 {
		return
	}
	main := r.c
	c := decode.New(r.ctx, main.Source(), "gpb", "Object[]", order, types)
	r.c = c
	defer func() { r.c = main }()
	budget := 4*c.Source().Size() + 1<<16
	read, done := 0, int64(r.first)
	for _, i := range missing {
		ref := r.refs[i]
		if r.seen[i] != nil { // met inside of one before it
			continue
		}
		if int64(ref.Offset) < done {
			r.warn(r.refNodes[i], model.Warning, "%q should be at %#x, but no %s begins there", ref.ID, ref.Offset, ref.Type)
			continue
		}
		if budget < 0 {
			r.warn(r.refNodes[i], model.Error, "%q at %#x is not read: too many references lead into each other's objects", ref.ID, ref.Offset)
			continue
		}
		whole := c.Try(func() {
			c.GoTo(int64(ref.Offset))
			c.Struct(model.IndexName(read), ref.Type.String(), func() {
				if o := r.readObject(ref.Type); c.Err() == nil {
					r.file.Recovered = append(r.file.Recovered, o)
				}
			})
			read++
		})
		budget -= c.Pos() - int64(ref.Offset)
		if whole {
			done = c.Pos()
		} else {
			r.breakOff(c.Last())
		}
	}
	if read == 0 {
		return
	}
	list := c.Close()
	list.Name = "recovered"
	list.Span = model.Span{}
	kids := make(model.List, 0, r.root.Len()+1)
	for i := range list.Len() {
		list.Span = list.Span.Join(list.Child(i).Span)
	}
	list.Warn(model.Warning, list.Span, "%d objects are in no list of the file, but references lead to them", read)
	for i := range r.root.Len() {
		kids = append(kids, r.root.Child(i))
	}
	r.root.SetChildren(append(kids, list))
}
