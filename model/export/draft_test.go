package export_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/model"
	"assay/model/export"
)

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

func assets() model.PayloadList {
	text := func(s string) func(context.Context, io.Writer) error {
		return func(_ context.Context, w io.Writer) error { _, err := io.WriteString(w, s); return err }
	}
	open := func(context.Context) (io.ReadCloser, error) {
		return io.NopCloser(bytes.NewReader([]byte("own"))), nil
	}
	return model.PayloadList{
		{Key: "a", Name: "a.bin", Type: "Mesh", Size: 3, Open: open,
			Forms: []model.Form{{Name: "raw"}, {Name: "glb", Extension: ".glb", Write: text("glb")}}},
		{Key: "b", Name: "b.bin", Type: "Mesh", Size: 3, Open: open},
		{Key: "c", Name: "c.bin", Type: "Font", Size: 3, Open: open, Forms: []model.Form{{Name: "raw"},
			{Name: "pair", WriteFiles: func(_ context.Context, w io.Writer, file int, names []string) error {
				_, err := io.WriteString(w, names[1-file])
				return err
			}, Extensions: []string{".one", ".two"}}}},
	}
}

func TestFormOfATypeIsUsedIfTheAssetHasIt(t *testing.T) {
	all := assets()
	picks := []export.Pick{{From: all, Index: 0}, {From: all, Index: 0, Form: "raw"}, {From: all, Index: 1},
		{From: all, Index: 2}}
	plan, err := export.NewPlan(t.Context(), export.DiscardFolder{}, picks,
		export.Options{Forms: map[string]string{"Mesh": "glb"}})
	require.NoError(t, err)
	var forms []string
	for i := range plan.Len() {
		forms = append(forms, plan.Item(i).Form)
	}
	assert.Equal(t, []string{"glb", "raw", "raw", "raw"}, forms, "an asset without the form has its first one")
}

func TestFilesWithoutTheFormOfAPresetAreCopied(t *testing.T) {
	all := assets()
	for i, err := range []error{nil, model.ErrNoForm, errors.New("it is damaged")} {
		all[i].Forms = []model.Form{{Name: "raw"}, {Name: "png", Extension: ".png", FromContent: true,
			Has: func(context.Context) error { return err },
			Write: func(_ context.Context, w io.Writer) error {
				if err != nil {
					return err
				}
				_, err := io.WriteString(w, "pixels")
				return err
			}}}
	}
	dir := t.TempDir()
	for _, want := range [][4]int{{2, 0, 0, 1}, {0, 2, 2, 1}} {
		in := export.OpenDirectory(dir)
		plan, err := export.NewPlan(t.Context(), in, []export.Pick{{From: all, Count: 3}},
			export.Options{Prefer: "png", Usual: true, Once: true})
		require.NoError(t, err)
		r := plan.Run(t.Context())
		in.Close()
		assert.Equal(t, want, [4]int{r.Exported, r.Skipped, r.Same, r.Failed})
		assert.Equal(t, map[string]string{"a.png": "pixels", "b.bin": "own"}, files(t, dir))
	}
}
