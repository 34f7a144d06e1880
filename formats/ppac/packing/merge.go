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

// merger has the three containers of a merge: base, mine and theirs.
type merger struct {
	model.ArchiveMerge
	comparer comparer
	files    []*ppac.File
	pairs    [3][]write.MetadataEntry // of each file
	entries  []mergedEntry
}

// mergedEntry is an index entry of the merged container: the picked version of one of Assets, or an entry of mine.
type mergedEntry struct {
	changed bool
	i       int32 // the index in Assets, or the number of mine's index entry
}

// merge is Packer.Merge.
func merge(ctx context.Context, base, mine, theirs *model.Document) (*model.ArchiveMerge, error) {
	s, err := sidesOf(ctx, base, mine, theirs)
	if err != nil {
		return nil, err
	}
	m := &merger{files: s.files()}
	if err := m.addMetadata(base, mine, theirs); err != nil {
		return nil, err
	}
	a := new(arrangement)
	for _, v := range []model.Version{model.Mine, model.Theirs, model.Base} {
		a.addSource(s, int(v))
	}
	for s.next(ctx) {
		if err := m.add(ctx, s.assets); err != nil {
			return nil, err
		}
		a.addAsset(s.assets)
	}
	m.entries = arrange(ctx, a, m.entries)
	m.Plan, m.Key, m.AssetMetadata = m.planMerge, m.key, m.assetMetadata
	return &m.ArchiveMerge, ctx.Err()
}

// changedVersions returns which versions changed an asset. A change of times, as of all files that are packed again,
// does not count beside another change; if both changed only times, theirs wins.
func changedVersions(inMine, inTheirs difference) (changed [3]bool) {
	switch {
	case (inMine|inTheirs)&^timesDiffer != 0:
		inMine, inTheirs = inMine&^timesDiffer, inTheirs&^timesDiffer
	case inTheirs != 0:
		inMine = 0
	}
	changed[model.Mine], changed[model.Theirs] = inMine != 0, inTheirs != 0
	return changed
}

// add compares an asset in all three containers.
func (m *merger) add(ctx context.Context, assets []visibleAsset) error {
	inMine, err := m.comparer.compare(ctx, &assets[model.Base], &assets[model.Mine])
	if err != nil {
		return err
	}
	inTheirs, err := m.comparer.compare(ctx, &assets[model.Base], &assets[model.Theirs])
	if err != nil {
		return err
	}
	if inMine == 0 && inTheirs == 0 {
		m.entries = append(m.entries, mergedEntry{i: int32(assets[model.Mine].i)})
		return nil
	}
	a := model.MergedAsset{Changed: changedVersions(inMine, inTheirs)}
	differing := inMine | inTheirs
	if inMine != 0 && inTheirs != 0 {
		between, err := m.comparer.compare(ctx, &assets[model.Mine], &assets[model.Theirs])
		if err != nil {
			return err
		}
		a.SameChange = between&^timesDiffer == 0
		differing |= between
	}
	a.SameMetadata = differing&metadataDiffers == 0
	for v, s := range assets {
		if a.Indexes[v] = -1; s.exists() {
			a.Indexes[v] = int32(s.i)
		}
	}
	m.entries = append(m.entries, mergedEntry{changed: true, i: int32(len(m.Assets))})
	m.Assets = append(m.Assets, a)
	return nil
}

// key is ArchiveMerge.Key.
func (m *merger) key(i int) string {
	for v, index := range m.Assets[i].Indexes {
		if index >= 0 {
			return m.files[v].Entry(int(index)).TPU.String()
		}
	}
	return ""
}

// addMetadata compares the metadata of the three files.
func (m *merger) addMetadata(docs ...*model.Document) (err error) {
	for v, f := range m.files {
		if f == nil {
			continue
		}
		if m.pairs[v], err = toWrite(f.Pairs()); err != nil {
			return err
		}
		if len(m.pairs[v]) > 0 {
			m.Metadata.Nodes[v] = docs[v].Root().ChildNamed("metadata")
		}
	}
	base, mine, theirs := m.pairs[model.Base], m.pairs[model.Mine], m.pairs[model.Theirs]
	m.Metadata.Changed = [3]bool{false, !slices.Equal(base, mine), !slices.Equal(base, theirs)}
	m.Metadata.SameChange = slices.Equal(mine, theirs)
	for v, pairs := range m.pairs {
		if m.Metadata.Texts[v] = differingPairs(pairs, m.pairs[:]); len(pairs) > 0 && m.Metadata.Texts[v] == "" {
			m.Metadata.Texts[v] = model.PlainCount(len(pairs), "value") // their order differs
		}
	}
	return nil
}

// assetMetadata is ArchiveMerge.AssetMetadata.
func (m *merger) assetMetadata(i int) (texts [3]string) {
	var pairs [3][]write.MetadataEntry
	var all [][]write.MetadataEntry // of the versions that have the asset
	for v, index := range m.Assets[i].Indexes {
		if index < 0 {
			continue
		}
		if a, err := m.files[v].Asset(int(index)); err == nil && a.CheckFit() == nil {
			pairs[v], _ = toWrite(m.files[v].AssetPairs(&a)) // as far as they can be read
		}
		all = append(all, pairs[v])
	}
	for v := range pairs {
		texts[v] = differingPairs(pairs[v], all)
	}
	return texts
}

// differingPairs returns the entries of some metadata that not all versions have, in a line.
func differingPairs(pairs []write.MetadataEntry, versions [][]write.MetadataEntry) string {
	var texts []string
	for _, p := range pairs {
		lacks := func(other []write.MetadataEntry) bool { return !slices.Contains(other, p) }
		if slices.ContainsFunc(versions, lacks) {
			texts = append(texts, p.Key+": "+p.Value)
		}
	}
	return model.OneLine(strings.Join(texts, ", "), 200)
}

// planMerge is ArchiveMerge.Plan.
func (m *merger) planMerge(ctx context.Context, picks []model.Pick,
	metadata model.Version) (model.ArchivePlan, error) {
	for _, v := range []model.Version{model.Mine, model.Theirs} {
		if m.isAllOf(v, picks, metadata) {
			return verbatim{m.files[v]}, ctx.Err()
		}
	}
	s := &selection{files: m.files, assets: make([]selected, 0, len(m.entries))}
	for _, x := range m.entries {
		if !x.changed {
			s.add(int(model.Mine), int(x.i), nil)
			continue
		}
		pick := picks[x.i]
		if index := m.Assets[x.i].Indexes[pick.Version]; index >= 0 {
			s.add(int(pick.Version), int(index), pick.Content)
		}
	}
	base, mine, theirs := m.files[model.Base], m.files[model.Mine], m.files[model.Theirs]
	p, err := s.container(ctx, cmp.Or(mine, theirs, base))
	p.Metadata = m.pairs[metadata]
	if mine != nil && theirs != nil {
		p.Modified = max(p.Modified, theirs.Header.Modified)
	}
	return p, err
}

// isAllOf reports whether a merged container equals a version.
func (m *merger) isAllOf(v model.Version, picks []model.Pick, metadata model.Version) bool {
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
