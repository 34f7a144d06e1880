package formats_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/assets"
	"assay/formats"
	"assay/formats/casset/cassettest"
	"assay/formats/dprsim/dprsimtest"
	"assay/formats/formatstest"
	"assay/formats/gpb"
	"assay/formats/gpb/gpbtest"
	"assay/formats/ppac/ppactest"
	"assay/model"
	"assay/model/compare"
	"assay/model/compare/changes"
	"assay/model/compare/contents"
	"assay/model/compare/report"
	"assay/model/content"
	"assay/model/modeltest"
	"assay/model/scene"
)

func openDocument(t testing.TB, name string, b []byte) *model.Document {
	t.Helper()
	d, err := formats.Opener{}.Open(context.Background(), model.NewSource(name, bytes.NewReader(b), int64(len(b))))
	require.NoError(t, err)
	return d
}

// outline is the structure of a document without its values; two files with one outline differ in values alone.
func outline(t testing.TB, d *model.Document) (text []string, leaves []*model.Node) {
	t.Helper()
	require.NoError(t, model.Walk(d.Root(), func(n *model.Node) (bool, error) {
		text = append(text, fmt.Sprint(n.PathText(), n.Type, n.Key, n.Span))
		if n.Leaf() && n.Size > 0 && n.Type != model.Gap {
			leaves = append(leaves, n)
		}
		return true, nil
	}, nil))
	return text, leaves
}

// plantedLeaves are changed in each file, from the first to the last. A short run ends after plantedShort of them that
// left the structure as it was.
const (
	plantedLeaves = 40
	plantedShort  = 3
)

func TestPlantedChangesAreFoundExactly(t *testing.T) {
	for name, b := range formatstest.Files(t) {
		t.Run(name, func(t *testing.T) {
			old := openDocument(t, name, b)
			again := openDocument(t, name, slices.Clone(b))
			assert.True(t, modeltest.Compare(t, old, again, compare.Options{}).Identical)
			was, leaves := outline(t, old)
			exact := 0
			for k := 0; k < len(leaves); k += 1 + len(leaves)/plantedLeaves {
				if testing.Short() && exact == plantedShort {
					break
				}
				l := leaves[k]
				changed := slices.Clone(b)
				changed[l.End()-1] ^= 1
				d := openDocument(t, name, changed)
				c := modeltest.Compare(t, old, d, compare.Options{})
				got := modeltest.Rows(t, c)
				require.False(t, c.Same(), l.PathText())
				modeltest.CheckMirror(t, c)
				is, _ := outline(t, d)
				if !slices.Equal(was, is) || old.Variant != d.Variant {
					continue // the change made another structure of the file
				}
				exact++
				var want []string
				for up := l; up != nil; up = up.Parent {
					if up == l || up.Key != "" {
						want = append(want, ("~ " + up.PathText() + " " + up.Key))
					}
				}
				slices.Reverse(want)
				for i := range want {
					want[i] = string(bytes.TrimSpace([]byte(want[i])))
				}
				assert.Equal(t, want, got, "%s [%s] %v", l.PathText(), l.Type, l.Span)
			}
			assert.NotZero(t, exact)
		})
	}
}

// bundle is a file with a scene of those nodes.
func bundle(t testing.TB, nodes ...*gpb.Node) []byte {
	t.Helper()
	var out bytes.Buffer
	f := &gpb.File{Objects: []gpb.Object{&gpb.Scene{ID: "scene", Nodes: nodes}}}
	require.NoError(t, gpbtest.Write(&out, f, gpbtest.V11, gpbtest.ByID))
	return out.Bytes()
}

func TestNodeUnderANewParentIsMoved(t *testing.T) {
	wheel := &gpb.Node{ID: "wheel", Light: &gpb.Light{ID: "light", Kind: gpb.Directional}}
	old := bundle(t, &gpb.Node{ID: "car", Children: []*gpb.Node{wheel}})
	axle := &gpb.Node{ID: "axle", Children: []*gpb.Node{wheel}}
	new := bundle(t, &gpb.Node{ID: "car", Children: []*gpb.Node{axle}})
	c := modeltest.Compare(t, openDocument(t, "old.gpb", old), openDocument(t, "new.gpb", new), compare.Options{})
	assert.Equal(t, []string{
		"+ /references/0 axle",
		"~ /objects/0 scene",
		"~ /objects/0/nodes/0 car",
		"+ /objects/0/nodes/0/children/0 axle",
		"> /objects/0/nodes/0/children/0/children/0 wheel",
	}, modeltest.Rows(t, c))
	assert.Zero(t, c.Counts().Removed)
}

// A mesh that is cut off is the mesh of its name: it changed, rather than having gone and come.
func TestWhatIsCutOffKeepsItsName(t *testing.T) {
	whole := assets.Samples()[0].Bytes
	d := openDocument(t, "whole.gpb", whole)
	n, err := d.Find("/meshes/0")
	require.NoError(t, err)
	c := modeltest.Compare(t, d, openDocument(t, "cut.gpb", whole[:n.Offset+n.Size-4]), compare.Options{})
	o, err := changes.Collect(t.Context(), c)
	require.NoError(t, err)
	require.NotEmpty(t, o.Items)
	assert.Equal(t, compare.Changed, o.Items[0].Status)
	assert.Equal(t, "mesh", o.Items[0].Kind)
	modeltest.CheckMirror(t, c)
}

func TestDamagedFilesAreCompared(t *testing.T) {
	for name, b := range formatstest.Files(t) {
		for _, cut := range []int{1, 3, len(b) / 3, len(b) / 2, len(b) - 1} {
			d, err := formats.Opener{}.Open(t.Context(), model.NewSource(name, bytes.NewReader(b[:cut]), int64(cut)))
			if err != nil {
				continue
			}
			c := modeltest.Compare(t, openDocument(t, name, b), d, compare.Options{})
			assert.False(t, c.Same(), "%s cut at %d", name, cut)
			modeltest.CheckMirror(t, c)
			modeltest.Rows(t, c)
		}
	}
}

func TestLayoutsOfOneFormatCompareByMeaning(t *testing.T) {
	files := formatstest.Files(t)
	c := modeltest.Compare(t, openDocument(t, "a.pac", files["narrow.pac"]), openDocument(t, "b.pac", files["wide.pac"]),
		compare.Options{})
	assert.Equal(t, []string{"~ /", "~ /header/flags"}, modeltest.Rows(t, c))

	c = modeltest.Compare(t, openDocument(t, "a.pac", files["narrow.pac"]), openDocument(t, "b.ppac", files["later.ppac"]),
		compare.Options{})
	require.NoError(t, c.Rows(func(p *compare.Pair) error {
		assert.NotContains(t, []string{"IndexEntry", "DataEntry"}, p.Node().Type, "%s %s", p.Status,
			p.Node().PathText())
		return nil
	}))
	assert.NotEmpty(t, c.OneVersion)
}

func TestLayoutsWithOtherKeysCompareByName(t *testing.T) {
	old := openDocument(t, "a.casset", cassettest.Write(cassettest.Package11, cassettest.Sample()))
	c := modeltest.Compare(t, old, openDocument(t, "b.casset", cassettest.Write(cassettest.Bundle30, cassettest.Sample())),
		compare.Options{})
	require.NoError(t, c.Rows(func(p *compare.Pair) error {
		if p.Node().Type == "Object" {
			assert.Equal(t, compare.Changed, p.Status, p.Node().PathText())
		}
		return nil
	}))
	modeltest.CheckMirror(t, c)
}

// Programs that read the report know an asset by its TPU: one that has another is removed and added, and so is each
// asset of a package that had none, or has none any more.
func TestReportsNameAddedAndRemovedAssetsByKey(t *testing.T) {
	pack := func(uniques ...uint32) *model.Document {
		var a ppactest.Archive
		for _, u := range uniques {
			a.Assets = append(a.Assets, ppactest.Asset{TPU: ppactest.NewTPU(0x100, 1, u),
				Content: bytes.Repeat(fmt.Appendf(nil, "asset %d ", u%100), 40)})
		}
		var b bytes.Buffer
		require.NoError(t, ppactest.Write(&b, a))
		return openDocument(t, "a.pac", b.Bytes())
	}
	key := func(u uint32) string { return fmt.Sprintf("0100-0001-%08X", u) }
	for name, test := range map[string]struct {
		old, new       *model.Document
		removed, added []string
	}{
		"another key": {pack(1, 2, 3), pack(1, 102, 3), []string{key(2)}, []string{key(102)}},
		"all went":    {pack(1, 2), pack(), []string{key(1), key(2)}, nil},
		"all came":    {pack(), pack(1, 2), nil, []string{key(1), key(2)}},
	} {
		t.Run(name, func(t *testing.T) {
			c, err := compare.Documents(t.Context(), test.old, test.new, compare.Options{}, nil)
			require.NoError(t, err)
			var out bytes.Buffer
			require.NoError(t, report.JSON(t.Context(), c, &out))
			var report struct {
				Changed, Moved, Added, Removed int
				Changes                        []struct{ Status, Type, Key string }
			}
			require.NoError(t, json.Unmarshal(out.Bytes(), &report))
			rows, keys := map[string]int{}, map[string][]string{}
			for _, r := range report.Changes {
				rows[r.Status]++
				if r.Type == "IndexEntry" {
					keys[r.Status] = append(keys[r.Status], r.Key)
				}
			}
			assert.Equal(t, test.removed, keys["removed"])
			assert.Equal(t, test.added, keys["added"])
			assert.Empty(t, keys["changed"])
			assert.Equal(t, []int{rows["changed"], rows["moved"], rows["added"], rows["removed"]},
				[]int{report.Changed, report.Moved, report.Added, report.Removed})
		})
	}
}

// A list without elements is compared as a list: all catoms of a world that has none any more are removed.
func TestAListThatIsEmptyIsComparedAsAList(t *testing.T) {
	world := func(catoms ...uint32) *model.Document {
		var out bytes.Buffer
		s := dprsimtest.NewStateWriter(&out, dprsimtest.Layout{}, dprsimtest.SimpleCubic)
		for _, id := range catoms {
			s.Catom(id, []byte{byte(id), 1, 2, 10, 20, 30, 255, 9})
		}
		require.NoError(t, s.Close())
		return openDocument(t, "a.world", out.Bytes())
	}
	for want, sides := range map[compare.Counts][2]*model.Document{
		{Removed: 2}: {world(7, 9), world()},
		{Added: 2}:   {world(), world(7, 9)},
	} {
		c, err := compare.Documents(t.Context(), sides[0], sides[1], compare.Options{}, nil)
		require.NoError(t, err)
		got := c.Counts()
		got.Same = 0
		assert.Equal(t, want, got)
		modeltest.CheckMirror(t, c)
	}
}

// millionOf is a published PPAC of n small assets, of which every step-th has another content.
func millionOf(n, step int) []byte {
	return ppactest.Many(n, func(i int) []byte {
		content := fmt.Appendf(nil, "asset %d", i)
		if step > 0 && i%step == 0 {
			content[0] = 'A'
		}
		return content
	})
}

func BenchmarkMillionAssets(b *testing.B) {
	const n = 1_000_000
	open := func(data []byte) *model.Document {
		d, err := formats.Opener{}.Open(b.Context(), model.NewSource("a.pac", bytes.NewReader(data), int64(len(data))))
		require.NoError(b, err)
		return d
	}
	x, y := open(millionOf(n, 0)), open(millionOf(n, n/100))
	for _, by := range []struct {
		name    string
		reading compare.Reading
	}{{"recorded", compare.Recorded}, {"read", compare.Full}} {
		b.Run(by.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				c, err := compare.Documents(context.Background(), x, y, compare.Options{Contents: by.reading}, nil)
				require.NoError(b, err)
				require.EqualValues(b, 400, c.Counts().Changed)
			}
		})
	}
}

// twoWorlds compares two worlds: of their catoms, number 2 has another charge, 3 is gone, 4 is elsewhere, and 5 is new.
func twoWorlds(t testing.TB) *compare.Comparison {
	t.Helper()
	world := func(catoms ...[]byte) *model.Document {
		var out bytes.Buffer
		s := dprsimtest.NewStateWriter(&out, dprsimtest.Layout{}, dprsimtest.SimpleCubic)
		for _, c := range catoms {
			s.Catom(uint32(c[0]), c[1:])
		}
		require.NoError(t, s.Close())
		return openDocument(t, "a.world", out.Bytes())
	}
	catom := func(id, z, battery byte) []byte { return []byte{id, 1, 2, z, 10, 20, 30, 255, battery} }
	old := world(catom(1, 1, 50), catom(2, 2, 50), catom(3, 3, 50), catom(4, 4, 50))
	new := world(catom(1, 1, 50), catom(2, 2, 49), catom(4, 9, 50), catom(5, 3, 50))
	return modeltest.Compare(t, old, new, compare.Options{})
}

func TestCatomsAreColoredByAnyOfTheirValues(t *testing.T) {
	c := twoWorlds(t)
	view := func(d *model.Document) *scene.Scene {
		v, err := d.View(t.Context(), d.Root())
		require.NoError(t, err)
		return v.(*scene.Scene)
	}
	s, err := contents.CompareScenes(t.Context(), c, view(c.Old), view(c.New))
	require.NoError(t, err)
	colors := func(s *scene.Scene) (all []string) {
		dots := make([]scene.Dot, 4)
		require.NoError(t, s.Roots[0].Points.Read(0, dots))
		for _, d := range dots {
			for _, is := range []compare.Status{compare.Same, compare.Changed, compare.Moved, compare.Added,
				compare.Removed} {
				if m := is.Color(compare.OnScene); d.Color == [4]uint8{m.R, m.G, m.B, 255} {
					all = append(all, is.String())
				}
			}
		}
		return all
	}
	assert.Equal(t, []string{"same", "changed", "removed", "moved"}, colors(s.Old))
	assert.Equal(t, []string{"same", "changed", "moved", "added"}, colors(s.New))
	assert.Equal(t, compare.Counts{Same: 1, Changed: 1, Moved: 1, Added: 1, Removed: 1}, s.Counts)
}

func TestCatomsAreOneTable(t *testing.T) {
	c := twoWorlds(t)
	var one *compare.Pair
	for p := c.Root().Next(); p != nil; p = p.Next() {
		if p.Leaf() && one == nil {
			one = p
		}
	}
	list := contents.ListOf(c, one)
	require.NotNil(t, list)
	table, err := contents.TableOf(t.Context(), c, one)
	require.NoError(t, err)
	assert.Equal(t, "catoms", list.Node().Name)
	assert.Equal(t, compare.Counts{Same: 1, Changed: 2, Added: 1, Removed: 1}, table.Counts)
	var lines []string
	for row := range table.Rows {
		old, new := table.SideRows(row)
		line := fmt.Sprint(table.Status(row), " ", old, " ", new)
		for column := range table.Columns {
			if was, is, differ := table.Cells(row, column); differ {
				line += fmt.Sprintf(" %s %v %v", table.Title(column), was, is)
			}
		}
		lines = append(lines, line)
		at, ok := table.RowOf(list, table.Path(row))
		assert.True(t, ok)
		assert.Equal(t, row, at)
	}
	assert.Equal(t, []string{"same 0 0", "changed 1 1 bat 50 49", "removed 2 -1", "changed 3 2 z 4 9", "added -1 3"}, lines)
	assert.Equal(t, []uint32{1, 2, 3, 4}, table.DifferingRows())
	assert.EqualValues(t, 3, table.Cell(2, 0), "of a row that was removed, what it was")
}

func TestAssetsOfASheetHaveTheirChanges(t *testing.T) {
	pack := func(contents map[uint32]string) *model.Document {
		var out bytes.Buffer
		var a ppactest.Archive
		for _, id := range slices.Sorted(maps.Keys(contents)) {
			a.Assets = append(a.Assets, ppactest.Asset{TPU: ppactest.TPU{Type: 0x100, Purpose: 1, Unique: id},
				Content:  []byte(contents[id]),
				Metadata: []ppactest.MetadataEntry{{Key: "filename", Value: fmt.Sprint("f", id)}}})
		}
		require.NoError(t, ppactest.Write(&out, a))
		return openDocument(t, "a.pac", out.Bytes())
	}
	four := pack(map[uint32]string{1: "one", 2: "two", 3: "three", 4: "four"})
	three := pack(map[uint32]string{1: "one", 3: "3", 4: "four"})
	marks := func(old, new, of *model.Document) (all []string) {
		c := modeltest.Compare(t, old, new, compare.Options{})
		s, err := content.SheetOf(t.Context(), of)
		require.NoError(t, err)
		s, err = contents.MarkSheet(t.Context(), c, s)
		require.NoError(t, err)
		for i, m := range s.Marks {
			all = append(all, strings.TrimSpace(s.Names[i]+" "+m.Word))
		}
		return all
	}
	assert.Equal(t, []string{"f3 changed", "f2 removed", "f1", "f4"}, marks(four, three, four))
	assert.Equal(t, []string{"f3 changed", "f1", "f4"}, marks(four, three, three))
	assert.Equal(t, []string{"f3 changed", "f2 added", "f1", "f4"}, marks(three, four, four))
}
