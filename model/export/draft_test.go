package export_test

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
	"assay/model/export"
)

// stacked returns a document with an asset for each key. With nodes, the keys are found without describing the assets.
func stacked(file string, nodes bool, keys ...string) *model.Document {
	root := &model.Node{Type: "File"}
	var list model.List
	var all model.PayloadList
	for i, k := range keys {
		n := &model.Node{Name: model.IndexName(i), Type: "Entry"}
		if nodes {
			n.Key = k
		}
		list = append(list, n)
		all = append(all, &model.Payload{Key: k, Name: k + ".txt", Node: n})
	}
	root.SetChildren(list)
	d := model.NewDocument(model.NewSource(file, bytes.NewReader(nil), 0), "made", "", root)
	if len(all) > 0 {
		d.Payloads = all
	}
	return d
}

func TestOverlayAgreesWithEffective(t *testing.T) {
	for _, nodes := range []bool{true, false} {
		base, one, two, none := stacked("base", nodes, "a", "b", "c", "d"), stacked("one", nodes, "b", "d", "e"),
			stacked("two", nodes, "b", "a", "b"), stacked("none", nodes)
		for _, layers := range [][]*model.Document{{base}, {base, one}, {one, base}, {base, one, two},
			{two, none, base, one}, {none}} {
			o, err := export.NewOverlay(context.Background(), layers)
			require.NoError(t, err)
			win, lose := o.Effective()
			var got []string
			lost := 0
			for i, d := range o.Layers() {
				for _, k := range win[i] {
					got = append(got, d.Source.Name()+" "+d.Payloads.At(k).Key)
				}
				lost += lose[i]
			}
			var plain []export.Layer
			for _, d := range layers {
				if d.Payloads != nil {
					plain = append(plain, export.Layer{File: d.Source.Name(), Payloads: d.Payloads})
				}
			}
			everything, err := export.NewChooser(nil)
			require.NoError(t, err)
			picks, overridden, err := export.Effective(context.Background(), plain, everything, "")
			require.NoError(t, err)
			var want []string
			for _, p := range picks {
				for i := range p.Len() {
					want = append(want, p.File+" "+p.From.At(p.Index+i).Key)
				}
			}
			assert.Equal(t, want, got)
			assert.Equal(t, overridden, lost)
		}
	}
}

func TestMovedLayerChangesTheWinner(t *testing.T) {
	base, one, two := stacked("base", true, "a", "b"), stacked("one", true, "b", "c"), stacked("two", true, "b", "b")
	o, err := export.NewOverlay(context.Background(), []*model.Document{base, one, two})
	require.NoError(t, err)
	providers := func(i int) (names []string, win int) {
		in, win := o.Providers(i)
		for _, p := range in {
			names = append(names, o.Layer(p).Source.Name())
		}
		return names, win
	}
	assert.Equal(t, 3, o.Len())
	assert.Equal(t, "b", o.At(1).Key)
	names, win := providers(1)
	assert.Equal(t, []string{"base", "one", "two", "two"}, names)
	assert.Equal(t, 2, win)
	assert.False(t, o.Overridden(0))
	assert.True(t, o.Overridden(1))
	o.Move(2, 0)
	names, win = providers(1)
	assert.Equal(t, []string{"two", "two", "base", "one"}, names)
	assert.Equal(t, 1, win)
	o.Move(0, 5)
	o.Move(-1, 0)
	assert.Equal(t, []*model.Document{two, base, one}, o.Layers())

	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err = export.NewOverlay(ctx, []*model.Document{base})
	assert.ErrorIs(t, err, context.Canceled)
}

func TestIdenticalFilesAreWrittenOnce(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "old.txt"), []byte("old"), 0o600))
	assets := []*model.Payload{asset("1", "a.txt", "same"), asset("2", "b.txt", "same"), asset("3", "a.txt", "other"),
		asset("4", "a.txt", "same"), asset("5", "a.txt", "other"),
		asset("6", "old.txt", "new"), asset("7", "old.txt", "old"), asset("8", "own (2).txt", "same"),
		asset("9", "own.txt", "same")}
	write := func(once bool) (*export.Report, []string) {
		r := run(t, open(t, dir), export.Options{Once: once}, assets...)
		var why []string
		for row := range r.Rows() {
			why = append(why, row.Path+row.Problem)
		}
		return r, why
	}
	foreseen := func() (same []string) {
		plan, err := export.NewPlan(t.Context(), export.DiscardFolder{Like: open(t, dir)}, picks(assets...),
			export.Options{Once: true})
		require.NoError(t, err)
		all, err := plan.Foresee(t.Context())
		require.NoError(t, err)
		require.True(t, all)
		files, _ := plan.Counts()
		for i := range plan.Len() {
			same = append(same, plan.Item(i).Same)
			if plan.Item(i).Same != "" {
				files++
			}
		}
		assert.Equal(t, plan.Len(), files)
		return same
	}
	assert.Equal(t, []string{"", "", "", "a.txt", "a (2).txt", "", "old.txt", "", ""}, foreseen())
	r, why := write(true)
	assert.Equal(t, []string{"a.txt", "b.txt", "a (2).txt", "the same file already exists: a.txt",
		"the same file already exists: a (2).txt",
		"old (2).txt", "the same file already exists: old.txt", "own (2).txt", "own.txt"}, why,
		"a name of its own is kept")
	assert.Equal(t, []int{6, 3, 3, 0}, []int{r.Exported, r.Skipped, r.Same, r.Failed})
	before := files(t, dir)
	assert.Len(t, before, 7)
	again := foreseen()
	r, why = write(true)
	for i, same := range again {
		assert.Equal(t, "the same file already exists: "+same, why[i], "a forecast and its report agree")
	}
	assert.Equal(t, before, files(t, dir), "the second export writes nothing")
	assert.Zero(t, r.Exported)
	r, _ = write(false)
	assert.Equal(t, 9, r.Exported)
}

func TestUsualFormIsAPictureOrASceneBeforeTheBytes(t *testing.T) {
	nothing := func(context.Context, io.Writer) error { return nil }
	texture, mesh, text := asset("1", "t.tex", "t"), asset("2", "m.mesh", "m"), asset("3", "x.txt", "x")
	texture.Forms = []model.Form{{Name: "raw"},
		{Name: "png", Extension: ".png", MediaType: "image/png", Write: nothing}}
	mesh.Forms = []model.Form{{Name: "json", Extension: ".json", Write: nothing},
		{Name: "glb", Extension: ".glb", MediaType: "model/gltf-binary", Write: nothing}}
	for usual, want := range map[bool][]string{true: {"png", "glb", "raw"}, false: {"raw", "json", "raw"}} {
		plan, err := export.NewPlan(t.Context(), export.DiscardFolder{}, picks(texture, mesh, text),
			export.Options{Usual: usual})
		require.NoError(t, err)
		var forms []string
		for i := range plan.Len() {
			forms = append(forms, plan.Item(i).Form)
		}
		assert.Equal(t, want, forms)
	}
	pick := picks(texture)[0]
	pick.Form = "raw"
	assert.Equal(t, "t.tex", export.PlanOne(pick, 7, export.Options{Usual: true}).Target, "the chosen form comes before the usual one")
	assert.Equal(t, "glTF binary", export.FormTitle("glb"))
	assert.Equal(t, "other", export.FormTitle("other"))
}

// Files that are made from assets of one name get a part of the asset's path or its extension.
func TestSimilarItemsGetDistinctPaths(t *testing.T) {
	root := &model.Node{Type: "Root"}
	meshes, nodes := &model.Node{Name: "meshes"}, &model.Node{Name: "nodes"}
	meshes.SetChildren(model.List{{Name: "0", Key: "boy"}})
	nodes.SetChildren(model.List{{Name: "0", Key: "boy"}, {Name: "1", Key: "boy"}})
	root.SetChildren(model.List{meshes, nodes})
	nothing := func(context.Context, io.Writer) error { return nil }
	made := func(n *model.Node) *model.Payload {
		return &model.Payload{Key: "boy", Name: "boy.glb", Node: n, Size: -1,
			Forms: []model.Form{{Name: "glb", Extension: ".glb", Write: nothing}}}
	}
	inside := func(name string) *model.Payload {
		a := asset(name, name, "x")
		a.Forms = []model.Form{{Name: "raw"}, {Name: "glb", Extension: ".glb", Write: nothing, FromContent: true}}
		return a
	}
	all := picks(made(meshes.Child(0)), made(nodes.Child(0)), made(nodes.Child(1)), inside("a/b.gpb"),
		inside("a/b.scene"), asset("1", "a.txt", ""), asset("2", "a.txt", ""))
	for i := range all {
		if i < 5 {
			all[i].Form = "glb"
		}
	}
	plan, err := export.NewPlan(t.Context(), export.DiscardFolder{}, all, export.Options{})
	require.NoError(t, err)
	var targets []string
	for i := range plan.Len() {
		targets = append(targets, plan.Item(i).Target)
	}
	assert.Equal(t, []string{"boy.glb", "nodes-boy.glb", "nodes-1.glb", "a/b.glb", "a/b.scene.glb", "a.txt",
		"a (2).txt"}, targets)
}

// Two assets that need one texture refer to the same file.
func TestSharedFilesAreWrittenOnce(t *testing.T) {
	dir := t.TempDir()
	mesh := func(name, known string) *model.Payload {
		return &model.Payload{Key: name, Name: "m/" + name + ".bin", Size: -1, Forms: []model.Form{{Name: "obj",
			Extension: ".obj", Extensions: []string{".obj", ".wood.png"}, Shared: []string{"", known},
			WriteFiles: func(_ context.Context, w io.Writer, file int, names []string) error {
				text := []string{"uses " + names[1], known}[file]
				_, err := io.WriteString(w, text)
				return err
			}}}}
	}
	all := model.PayloadList{mesh("a", "res/wood"), mesh("b", "res/wood"), mesh("c", "other/wood")}
	pick := []export.Pick{{From: all, Count: 3}}
	plan, err := export.NewPlan(t.Context(), open(t, dir), pick, export.Options{})
	require.NoError(t, err)
	n, _ := plan.Counts()
	assert.Equal(t, 5, n)
	assert.Equal(t, "m/wood.png", plan.Item(3).Same)
	r := plan.Run(t.Context())
	assert.Equal(t, []int{5, 1, 0}, []int{r.Exported, r.Skipped, r.Failed})
	assert.Equal(t, map[string]string{"m/a.obj": "uses wood.png", "m/b.obj": "uses wood.png", "m/wood.png": "res/wood",
		"m/c.obj": "uses c.wood.png", "m/c.wood.png": "other/wood"}, files(t, dir))
}
