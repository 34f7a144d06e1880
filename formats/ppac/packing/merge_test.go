package packing

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/formats/ppac"
	"assay/formats/ppac/ppactest"
	"assay/model"
)

// Assets that are packed again have other times. Beside a change of the content, or the same change, times do not
// conflict.
func TestTimesAreNotAConflict(t *testing.T) {
	docs := func(all ...ppactest.Archive) (out []*model.Document) {
		for _, a := range all {
			out = append(out, openBytes(t, encode(t, a)))
		}
		return out
	}
	d := docs(timedArchive(5, "base", map[uint32]string{0: "same", 1: "old", 2: "old", 3: "gone"}),
		timedArchive(6, "base", map[uint32]string{0: "same", 1: "new", 2: "old"}),
		timedArchive(7, "theirs", map[uint32]string{0: "same", 1: "old", 2: "other", 3: "gone"}))
	m, err := merge(t.Context(), d[0], d[1], d[2])
	require.NoError(t, err)
	require.Len(t, m.Assets, 4)
	assert.True(t, m.Assets[0].SameChange)
	assert.Equal(t, [3]bool{false, true, false}, m.Assets[1].Changed)
	assert.Equal(t, [3]bool{false, false, true}, m.Assets[2].Changed)
	assert.EqualValues(t, -1, m.Assets[3].Indexes[model.Mine])
	assert.True(t, m.Assets[1].SameMetadata)
	assert.Equal(t, [3]bool{false, false, true}, m.Metadata.Changed, "only theirs changed those of the file")

	p, err := m.Plan(t.Context(), []model.Pick{{Version: model.Mine}, {Version: model.Mine}, {Version: model.Theirs},
		{Version: model.Mine}}, model.Theirs)
	require.NoError(t, err)
	var out bytes.Buffer
	require.NoError(t, p.Write(t.Context(), &out))
	merged := openBytes(t, out.Bytes())
	assert.Equal(t, 3, merged.Payloads.Len(), "mine has no fourth")
	f, err := fileOf(t.Context(), merged)
	require.NoError(t, err)
	pairs, err := toWrite(f.Pairs())
	require.NoError(t, err)
	assert.Equal(t, ppactest.Pairs("of", "theirs"), pairs)
	assert.EqualValues(t, 7, f.Header.Modified)
}

// If only one version changed anything, the merge has its bytes: wide numbers, trash, and everything that the document
// leaves open are kept.
func TestMergeOfOneChangeIsThatFile(t *testing.T) {
	for name, layout := range map[string]ppactest.Layout{"published": {}, "later": {Later: true}} {
		base := sample(layout, 1)
		changed := sample(layout, 3)
		changed.Assets[0].Content = []byte("changed")
		before, after := encode(t, base), encode(t, changed)
		old, new := openBytes(t, before), openBytes(t, after)
		for _, test := range []struct {
			mine, theirs *model.Document
			pick         model.Version
			want         []byte
		}{{old, old, model.Mine, before}, {new, old, model.Mine, after}, {old, new, model.Theirs, after}} {
			m, err := merge(t.Context(), old, test.mine, test.theirs)
			require.NoError(t, err)
			picks := make([]model.Pick, len(m.Assets))
			for i := range picks {
				picks[i].Version = test.pick
				assert.Equal(t, "0100-0001-00000001", m.Key(i))
			}
			p, err := m.Plan(t.Context(), picks, model.Base)
			require.NoError(t, err)
			var out bytes.Buffer
			require.NoError(t, p.Write(t.Context(), &out))
			assert.Equal(t, test.want, out.Bytes(), name)
			assert.Equal(t, 3, p.Len())
		}
	}
}

// Assets that neither version changed are copied from mine: the base may lack memory sizes or sums that mine has.
func TestUnchangedAssetsAreCopiedFromMine(t *testing.T) {
	memory := ppactest.Layout{SizeWidth: 4, PositionWidth: 4, MemorySize: true}
	base, one, other := map[uint32]string{0: "same", 1: "old", 2: "old"}, map[uint32]string{0: "same", 1: "new", 2: "old"},
		map[uint32]string{0: "same", 1: "old", 2: "new"}
	of := func(l ppactest.Layout, contents map[uint32]string) *model.Document {
		a := timedArchive(5, "file", contents)
		a.Layout = l
		return openBytes(t, encode(t, a))
	}
	m, err := merge(t.Context(), of(narrow, base), of(memory, one), of(memory, other))
	require.NoError(t, err)
	require.Len(t, m.Assets, 2)
	p, err := m.Plan(t.Context(), []model.Pick{{Version: model.Mine}, {Version: model.Theirs}}, model.Mine)
	require.NoError(t, err)
	assert.Contains(t, openPlan(t, p).Variant, "memory sizes")
}

// The metadata of a package are merged in both revisions, also without assets.
func TestMetadataOfTheFileAreMerged(t *testing.T) {
	for name, layout := range map[string]ppactest.Layout{"published": {}, "later": {Later: true}} {
		t.Run(name, func(t *testing.T) {
			var d []*model.Document
			for _, of := range [][]string{{"title", "old", "by", "me"}, {"title", "mine", "by", "me"},
				{"title", "theirs", "by", "me"}, nil} {
				a := ppactest.Archive{Layout: layout, Metadata: ppactest.Pairs(of...)}
				d = append(d, openBytes(t, encode(t, a)))
			}
			m, err := merge(t.Context(), d[0], d[1], d[2])
			require.NoError(t, err)
			assert.Equal(t, [3]bool{false, true, true}, m.Metadata.Changed)
			assert.False(t, m.Metadata.SameChange)
			assert.Equal(t, [3]string{"title: old", "title: mine", "title: theirs"}, m.Metadata.Texts)
			assert.Equal(t, "metadata", m.Metadata.Nodes[model.Theirs].Name)
			for v, want := range []string{"old", "mine", "theirs"} {
				p, err := m.Plan(t.Context(), nil, model.Version(v))
				require.NoError(t, err)
				var out bytes.Buffer
				require.NoError(t, p.Write(t.Context(), &out))
				f, err := fileOf(t.Context(), openBytes(t, out.Bytes()))
				require.NoError(t, err)
				pairs, err := toWrite(f.Pairs())
				require.NoError(t, err)
				assert.Equal(t, ppactest.Pairs("title", want, "by", "me"), pairs)
				assert.Equal(t, layout.Later, f.Layout.Later)
			}

			m, err = merge(t.Context(), d[0], d[3], d[0])
			require.NoError(t, err)
			assert.Equal(t, [3]bool{false, true, false}, m.Metadata.Changed)
			assert.Equal(t, [3]string{"title: old, by: me", "", "title: old, by: me"}, m.Metadata.Texts)
			assert.Nil(t, m.Metadata.Nodes[model.Mine])
		})
	}
}

// An asset that both versions removed can be picked from the base, also if they are empty files.
func TestAssetsOfTheBaseCanBePicked(t *testing.T) {
	base, empty := openBytes(t, encode(t, sample(narrow, 0))), emptyFile()
	m, err := merge(t.Context(), base, empty, empty)
	require.NoError(t, err)
	require.Len(t, m.Assets, 3)
	p, err := m.Plan(t.Context(), []model.Pick{{Version: model.Base}, {Version: model.Mine}, {Version: model.Base}},
		model.Base)
	require.NoError(t, err)
	merged := openPlan(t, p)
	assert.Equal(t, 2, merged.Payloads.Len())
	assert.Equal(t, base.Variant, merged.Variant)
	assert.NotNil(t, merged.Root().ChildNamed("metadata"))
}

// An asset that is missing because the index is damaged was not removed.
func TestDamagedPackagesAreNotMerged(t *testing.T) {
	for name, layout := range map[string]ppactest.Layout{"published": {}, "later": {Later: true}} {
		t.Run(name, func(t *testing.T) {
			a := timedArchive(5, "file", map[uint32]string{0: "one", 1: "two", 2: "three"})
			a.Layout = layout
			sound := encode(t, a)
			f, err := fileOf(t.Context(), openBytes(t, sound))
			require.NoError(t, err)
			index, metadata := int(f.Header.Index), int(f.Header.Metadata)
			for name, test := range map[string]struct {
				damage func(b []byte) []byte
				says   string
			}{
				"the header is cut":          {func(b []byte) []byte { return b[:9] }, "the index is damaged"},
				"the file is cut":            {func(b []byte) []byte { return b[:index+10] }, "the index is damaged"},
				"the index is huge":          {func(b []byte) []byte { b[index+3] = 0x7F; return b }, "the index is damaged"},
				"the metadata is cut":        {func(b []byte) []byte { return b[:metadata+2] }, "is damaged"},
				"unsupported format version": {func(b []byte) []byte { b[4] = 9; return b }, "unsupported format version"},
			} {
				broken := openBytes(t, test.damage(bytes.Clone(sound)))
				whole := openBytes(t, sound)
				for at := range 3 {
					three := []*model.Document{whole, whole, whole}
					three[at] = broken
					_, err := merge(t.Context(), three[0], three[1], three[2])
					assert.ErrorContains(t, err, test.says, name)
				}
				_, err := patch(t.Context(), whole, broken)
				assert.ErrorContains(t, err, test.says, name)
			}
		})
	}
}

// The versions that changed an asset.
var (
	byNone   = [3]bool{}
	byMine   = [3]bool{model.Mine: true}
	byTheirs = [3]bool{model.Theirs: true}
	byBoth   = [3]bool{model.Mine: true, model.Theirs: true}
)

// TestChangeOfTimesAloneYieldsToOtherChanges has all combinations of changes in two versions.
func TestChangeOfTimesAloneYieldsToOtherChanges(t *testing.T) {
	for _, other := range []difference{presenceDiffers, contentDiffers, metadataDiffers, contentDiffers | timesDiffer} {
		for _, test := range []struct {
			inMine, inTheirs difference
			want             [3]bool
		}{
			{0, 0, byNone}, {0, timesDiffer, byTheirs}, {0, other, byTheirs}, {timesDiffer, 0, byMine},
			{timesDiffer, timesDiffer, byTheirs}, {timesDiffer, other, byTheirs}, {other, 0, byMine},
			{other, timesDiffer, byMine}, {other, other, byBoth},
		} {
			assert.Equal(t, test.want, changedVersions(test.inMine, test.inTheirs), "%b, %b", test.inMine,
				test.inTheirs)
		}
	}
}

// If any byte of a package is damaged, three copies of it have no conflict, and their merge is that package.
func TestDamagedPackagesEqualThemselves(t *testing.T) {
	for name, layout := range map[string]ppactest.Layout{"published": {}, "later": {Later: true}} {
		t.Run(name, func(t *testing.T) {
			sound := encode(t, sample(layout, 0))
			for at := range sound {
				b := bytes.Clone(sound)
				b[at] ^= 0x80
				src := model.NewSource("a.ppac", bytes.NewReader(b), int64(len(b)))
				doc, err := ppac.Open(t.Context(), src)
				if err != nil {
					continue // another format
				}
				m, err := merge(t.Context(), doc, doc, doc)
				if err != nil {
					assert.ErrorContains(t, err, "a.ppac", "it is refused as a whole")
					continue
				}
				assert.Empty(t, m.Assets, "byte %#x", at)
				p, err := m.Plan(t.Context(), nil, model.Base)
				require.NoError(t, err)
				var out bytes.Buffer
				require.NoError(t, p.Write(t.Context(), &out))
				assert.Equal(t, b, out.Bytes())
			}
		})
	}
}
