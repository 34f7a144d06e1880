package packing

import (
	"cmp"
	"context"
	"io"
	"slices"
	"strings"

	"assay/formats/ppac"
	"assay/formats/ppac/write"
	"assay/model"
)

// merging is three containers, of which the last two were made from the first.
type merging struct {
	model.ArchiveMerge
	compare twoBuffers
	files   []*ppac.File
	pairs   [3][]write.MetadataEntry // of each file
	kept    []uint32                 // index entries of the base that neither changed
	before  []uint32                 // for each of Assets, how many of kept have a lower TPU
}

// merge is Packer.Merge.
func merge(ctx context.Context, base, mine, theirs *model.Document) (*model.ArchiveMerge, error) {
	s, err := sidesOf(ctx, base, mine, theirs)
	if err != nil {
		return nil, err
	}
	m := &merging{files: s.files()}
	if err := m.addMetadata(base, mine, theirs); err != nil {
		return nil, err
	}
	for s.next(ctx) {
		if err := m.add(ctx, s.found); err != nil {
			return nil, err
		}
	}
	m.ArchiveMerge.Packing, m.Key = m.merged, m.key
	return &m.ArchiveMerge, ctx.Err()
}

// add compares an asset in all three containers.
func (m *merging) add(ctx context.Context, in []*visibleAsset) error {
	changed, alike, err := m.changes(ctx, in)
	if err != nil {
		return err
	}
	if changed == [3]bool{} {
		m.kept = append(m.kept, uint32(in[model.Base].i))
		return nil
	}
	a := model.MergedAsset{Changed: changed, Alike: alike}
	for v, s := range in {
		if a.At[v] = -1; s != nil {
			a.At[v] = int32(s.i)
		}
	}
	if a.MetadataAlike, err = m.sameMetadata(ctx, in); err != nil {
		return err
	}
	m.Assets, m.before = append(m.Assets, a), append(m.before, uint32(len(m.kept)))
	return nil
}

// changes returns which versions changed an asset, and whether two that did made the same of it.
func (m *merging) changes(ctx context.Context, in []*visibleAsset) (changed [3]bool, alike bool, err error) {
	differ := func(x, y model.Version, as likeness) bool {
		same := false
		if err == nil {
			same, err = m.alike(ctx, in[x], in[y], as)
		}
		return !same
	}
	mine, theirs := differ(model.Base, model.Mine, recorded), differ(model.Base, model.Theirs, recorded)
	if mine && theirs {
		alike = !differ(model.Mine, model.Theirs, timeless)
		// A new time alone, as of all files that are packed again, is no change beside one of the other version. Of two
		// new times, theirs is the change.
		if mine = differ(model.Base, model.Mine, timeless); mine {
			theirs = differ(model.Base, model.Theirs, timeless)
		}
	}
	return [3]bool{model.Mine: mine, model.Theirs: theirs}, alike, err
}

// alike compares an asset in two containers, of which either may not have it.
func (m *merging) alike(ctx context.Context, x, y *visibleAsset, as likeness) (bool, error) {
	if x == nil || y == nil {
		return x == y, nil
	}
	return m.compare.same(ctx, x, y, as)
}

// sameMetadata reports whether an asset has the same metadata wherever it is.
func (m *merging) sameMetadata(ctx context.Context, in []*visibleAsset) (bool, error) {
	var first *visibleAsset
	for _, s := range in {
		switch {
		case s == nil:
		case first == nil:
			first = s
		default:
			if same, err := m.compare.same(ctx, first, s, described); !same || err != nil {
				return false, err
			}
		}
	}
	return true, nil
}

// key is ArchiveMerge.Key.
func (m *merging) key(i int) string {
	for v, at := range m.Assets[i].At {
		if at >= 0 {
			return m.files[v].Entry(int(at)).TPU.String()
		}
	}
	return ""
}

// addMetadata compares the metadata of the three files.
func (m *merging) addMetadata(docs ...*model.Document) (err error) {
	for v, f := range m.files {
		if f == nil {
			continue
		}
		if m.pairs[v], err = pairsOf(f); err != nil {
			return err
		}
		if len(m.pairs[v]) > 0 {
			m.Metadata.Nodes[v] = docs[v].Root().Named("metadata")
		}
	}
	base, mine, theirs := m.pairs[model.Base], m.pairs[model.Mine], m.pairs[model.Theirs]
	m.Metadata.Changed = [3]bool{false, !slices.Equal(base, mine), !slices.Equal(base, theirs)}
	m.Metadata.Alike = slices.Equal(mine, theirs)
	for v, pairs := range m.pairs {
		m.Metadata.Texts[v] = m.textOf(pairs)
	}
	return nil
}

// textOf returns the entries of some metadata that not all versions have; the number of all if only their order
// differs.
func (m *merging) textOf(pairs []write.MetadataEntry) string {
	if len(pairs) == 0 {
		return ""
	}
	var own []string
	for _, p := range pairs {
		lacks := func(other []write.MetadataEntry) bool { return !slices.Contains(other, p) }
		if slices.ContainsFunc(m.pairs[:], lacks) {
			own = append(own, p.Key+": "+p.Value)
		}
	}
	return model.OneLine(cmp.Or(strings.Join(own, ", "), model.PlainCount(len(pairs), "value")), 200)
}

// merged is ArchiveMerge.Packing.
func (m *merging) merged(ctx context.Context, picks []model.Pick, metadata model.Version) (model.Packing, error) {
	for _, v := range []model.Version{model.Mine, model.Theirs} {
		if m.isAllOf(v, picks, metadata) {
			return unchanged{m.files[v]}, ctx.Err()
		}
	}
	s := &selection{files: m.files, content: make(map[int]*model.PackedFile),
		assets: make([]selected, 0, len(m.kept)+len(picks))}
	done := 0
	keep := func(to int) {
		for ; done < to; done++ {
			s.add(int(model.Base), int(m.kept[done]))
		}
	}
	for i, pick := range picks {
		keep(int(m.before[i]))
		at := m.Assets[i].At[pick.Version]
		if at < 0 {
			continue
		}
		if pick.Content != nil {
			s.content[len(s.assets)] = pick.Content
		}
		s.add(int(pick.Version), int(at))
	}
	keep(len(m.kept))
	p, err := s.container(ctx, cmp.Or(m.files[model.Mine], m.files[model.Theirs]))
	p.Metadata = m.pairs[metadata]
	if mine, theirs := m.files[model.Mine], m.files[model.Theirs]; mine != nil && theirs != nil {
		p.Modified = max(p.Modified, theirs.Header.Modified)
	}
	return p, err
}

// isAllOf reports whether a merged container has just what a version has.
func (m *merging) isAllOf(v model.Version, picks []model.Pick, metadata model.Version) bool {
	if m.files[v] == nil || !slices.Equal(m.pairs[metadata], m.pairs[v]) {
		return false
	}
	for _, pick := range picks {
		if pick.Content != nil || pick.Version != v {
			return false
		}
	}
	return true
}

// unchanged is a container that is written as it is: the document leaves the order of sections, sizes and lengths open,
// and what it lists as trash may be wanted.
type unchanged struct{ file *ppac.File }

// Len is the number of assets.
func (u unchanged) Len() int { return u.file.Len() }

// Sums implements model.Packing.
func (u unchanged) Sums() bool { return false }

// Write writes the container.
func (u unchanged) Write(ctx context.Context, w io.Writer) error {
	_, err := io.Copy(w, u.file.Source.Reader(model.Span{Size: u.file.Source.Size()}))
	return cmp.Or(err, ctx.Err())
}
