package packing

import (
	"cmp"
	"context"
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
	sides   sides
	pairs   [3][]write.MetadataEntry // of each file
	from    []mergedFrom             // for each of Assets, where it is
	kept    []visibleAsset           // what neither changed
}

// mergedFrom is an asset in each of three containers; nil where it is not.
type mergedFrom [3]*visibleAsset

// merge is Packer.Merge.
func merge(ctx context.Context, base, mine, theirs *model.Document) (*model.ArchiveMerge, error) {
	s, err := sidesOf(ctx, base, mine, theirs)
	if err != nil {
		return nil, err
	}
	m := &merging{sides: s, kept: make([]visibleAsset, 0, len(s.left[model.Base]))}
	if err := m.addMetadata(base, mine, theirs); err != nil {
		return nil, err
	}
	for in := (mergedFrom{}); m.sides.next(ctx, in[:]); {
		if err := m.add(ctx, in); err != nil {
			return nil, err
		}
	}
	m.Packing = m.packing
	return &m.ArchiveMerge, ctx.Err()
}

// add compares an asset in all three containers.
func (m *merging) add(ctx context.Context, in mergedFrom) error {
	a := model.MergedAsset{}
	for v, s := range in {
		a.At[v] = -1
		if s != nil {
			a.At[v], a.Key = s.i, ppac.TPUOf(s.tpu).String()
		}
	}
	same, err := [3]bool{true}, error(nil)
	for _, v := range []model.Version{model.Mine, model.Theirs} {
		if same[v], err = m.alike(ctx, in[model.Base], in[v], recorded); err != nil {
			return err
		}
		a.Changed[v] = !same[v]
	}
	switch {
	case same[model.Mine] && same[model.Theirs]:
		m.kept = append(m.kept, *in[model.Base])
		return nil
	case a.Changed[model.Mine] && a.Changed[model.Theirs]:
		if a.Alike, err = m.alike(ctx, in[model.Mine], in[model.Theirs], timeless); err != nil {
			return err
		}
		// A new time alone, as of all files that are packed again, is no change beside one of the content.
		for _, v := range []model.Version{model.Mine, model.Theirs} {
			only, err := m.alike(ctx, in[model.Base], in[v], timeless)
			if err != nil {
				return err
			}
			if a.Changed[v] = !only; only {
				break
			}
		}
	}
	if a.MetadataAlike, err = m.sameMetadata(ctx, in); err != nil {
		return err
	}
	m.Assets, m.from = append(m.Assets, a), append(m.from, in)
	return nil
}

// alike compares an asset in two containers, of which either may not have it.
func (m *merging) alike(ctx context.Context, x, y *visibleAsset, as likeness) (bool, error) {
	if x == nil || y == nil {
		return x == y, nil
	}
	return m.compare.same(ctx, x, y, as)
}

// sameMetadata reports whether an asset has the same metadata wherever it is.
func (m *merging) sameMetadata(ctx context.Context, in mergedFrom) (bool, error) {
	there := slices.DeleteFunc(slices.Clone(in[:]), func(s *visibleAsset) bool { return s == nil })
	for i := range there[1:] {
		if same, err := m.compare.same(ctx, there[i], there[i+1], described); !same || err != nil {
			return false, err
		}
	}
	return true, nil
}

// addMetadata compares the metadata of the three files.
func (m *merging) addMetadata(docs ...*model.Document) (err error) {
	for v, f := range m.sides.files {
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
	return model.OneLine(cmp.Or(strings.Join(own, ", "), model.Count(len(pairs), "value")), 200)
}

// packing is ArchiveMerge.Packing.
func (m *merging) packing(ctx context.Context, picks []model.Pick, metadata model.Version) (model.Packing, error) {
	all := slices.Clone(m.kept)
	for i, pick := range picks {
		if from := m.from[i][pick.Version]; from != nil {
			s := *from
			s.content = pick.Content
			all = append(all, s)
		}
	}
	mine, theirs := m.sides.files[model.Mine], m.sides.files[model.Theirs]
	p, err := archiveOf(ctx, cmp.Or(mine, theirs), lastOfEach(all))
	p.Metadata = m.pairs[metadata]
	if mine != nil && theirs != nil {
		p.Modified = max(p.Modified, theirs.Header.Modified)
	}
	return p, err
}
