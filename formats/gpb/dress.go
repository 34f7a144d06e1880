package gpb

import (
	"fmt"
	"path"
	"strconv"
	"strings"

	"assay/formats/gpb/project"
	"assay/formats/gpb/properties"
	"assay/model"
	"assay/model/scene"
)

// The bounds of what is read around a bundle.
const (
	materialsMost = 10_000 // that are made for one scene
	missingMost   = 100    // sentences about what is not there
	scenesMost    = 16     // .scene and .animation files beside a bundle that are looked at
)

// dresser gives the nodes of a scene the materials that the project around the bundle has for them. A bundle has only
// their names, or not even those.
type dresser struct {
	project *project.Project
	out     *scene.Scene
	made    map[*properties.Namespace]*scene.Material
	from    map[*scene.Material]origin
	models  map[*scene.Node]*outfit
	order   []*scene.Node // of models
	said    map[string]bool
	more    int // sentences that were not kept
}

// origin is where a material is described.
type origin struct{ file, id string }

// outfit is the materials of one model: for a part, or for all. What is given to a part wins, whichever came later.
type outfit struct {
	whole *scene.Material
	parts map[int]*scene.Material
}

func newDresser(p *project.Project, out *scene.Scene) *dresser {
	return &dresser{project: p, out: out, made: make(map[*properties.Namespace]*scene.Material),
		from: make(map[*scene.Material]origin), models: make(map[*scene.Node]*outfit), said: make(map[string]bool)}
}

// missing notes something that the scene lacks, once.
func (d *dresser) missing(format string, args ...any) {
	sentence := fmt.Sprintf(format, args...)
	switch {
	case d.said[sentence]:
	case len(d.out.Missing) >= missingMost:
		d.more++
	default:
		d.said[sentence] = true
		d.out.Missing = append(d.out.Missing, sentence)
	}
}

// absent notes a file that the scene refers to and that is not where it should be.
func (d *dresser) absent(format string, args ...any) {
	d.missing(format, args...)
	d.out.Incomplete = true
}

// oneLine is a name of a file for a sentence.
func oneLine(name string) string { return model.OneLine(strings.ToValidUTF8(name, "\uFFFD"), 200) }

// named returns the parts of a model the materials of NAME.material that the bundle names.
func (d *dresser) named(n *scene.Node, names []string) {
	var library *properties.Namespace
	if d.project == nil {
		return
	}
	full := d.project.Own(".material")
	if full != "" {
		library = d.text(full)
	}
	for i, name := range names {
		if name == "" || n.Mesh == nil || i >= len(n.Mesh.Parts) {
			continue
		}
		if library == nil {
			d.absent("there is no %s.material beside the bundle, which names materials",
				oneLine(path.Base(d.project.Stem())))
			return
		}
		if m := d.material(library, library.Find(name), full); m != nil {
			d.outfit(n).parts[i] = m
		} else {
			d.missing("%s has no material %s", oneLine(full), oneLine(name))
		}
	}
}

func (d *dresser) outfit(n *scene.Node) *outfit {
	o := d.models[n]
	if o == nil {
		o = &outfit{parts: make(map[int]*scene.Material)}
		d.models[n] = o
		d.order = append(d.order, n)
	}
	return o
}

// text reads a text of the project; nil if it cannot be read.
func (d *dresser) text(full string) *properties.Namespace {
	file, err := d.project.Text(full)
	if err != nil {
		d.missing("%s", err)
	}
	return file
}

// referred returns the material that a reference in a text means: file#id, the first one of the file without an id.
func (d *dresser) referred(value, folder string) *scene.Material {
	name, id := project.Reference(value)
	found := d.find(name, folder)
	if found == "" {
		return nil
	}
	file := d.text(found)
	if file == nil {
		return nil
	}
	m := d.material(file, file.Find(id), found)
	if m == nil {
		d.missing("%s has no material %s", oneLine(found), oneLine(id))
	}
	return m
}

// find returns the path of a file that a text names; empty if there is none.
func (d *dresser) find(name, folder string) string {
	found := d.project.Find(name, folder)
	if found.Problem != "" {
		d.absent("%s", found.Problem)
	}
	return found.Path
}

// material makes the material of a namespace in a file, once.
func (d *dresser) material(file, n *properties.Namespace, full string) *scene.Material {
	if n == nil || n.Name != "material" {
		return nil
	}
	if m := d.made[n]; m != nil {
		return m
	}
	if len(d.made) >= materialsMost {
		d.missing("there are more than %d materials, and no more are read", materialsMost)
		return nil
	}
	m := d.project.Material(file, n, path.Dir(full), d.out.Ambient)
	d.made[n] = m
	d.from[m] = origin{full, n.ID}
	d.lacking(m)
	return m
}

// lacking notes the pictures of a material that were not found.
func (d *dresser) lacking(m *scene.Material) {
	for _, s := range m.Samplers() {
		if s.Texture.Missing != "" {
			d.absent("%s", s.Texture.Missing)
		}
	}
}

// wear returns a node what an entry of a .scene says of its model: material, and material[N] for a part.
func (d *dresser) wear(n *scene.Node, entry *properties.Space, folder string) {
	if n.Mesh == nil {
		return
	}
	for _, name := range entry.Names() {
		if name == "material" {
			if m := d.referred(entry.Get(name), folder); m != nil {
				d.outfit(n).whole = m
			}
			continue
		}
		number, ok := strings.CutPrefix(name, "material[")
		if !ok {
			continue
		}
		i, err := strconv.Atoi(strings.TrimSuffix(number, "]"))
		if err != nil || i < 0 || i >= len(n.Mesh.Parts) {
			d.missing("%s is for a part that %s does not have", oneLine(name), oneLine(n.Name))
			continue
		}
		if m := d.referred(entry.Get(name), folder); m != nil {
			d.outfit(n).parts[i] = m
		}
	}
}

// finish puts what the models have on their nodes.
func (d *dresser) finish() {
	for _, n := range d.order {
		o := d.models[n]
		all := make([]*scene.Material, len(n.Mesh.Parts))
		copy(all, n.Materials)
		for i := range all {
			if m := o.parts[i]; m != nil {
				all[i] = m
			} else if o.whole != nil {
				all[i] = o.whole
			}
		}
		n.Materials = all
	}
	if d.more > 0 {
		d.out.Missing = append(d.out.Missing, fmt.Sprintf("%d more messages like these are left out", d.more))
	}
}

// fitting is for bundles of the time when only code said which material a node has: those of NAME.material whose names
// are those of nodes or meshes, or its only one.
func (d *dresser) fitting() {
	if d.project == nil || len(d.models) > 0 {
		return
	}
	name := path.Base(d.project.Stem()) + ".material"
	found := d.project.Find(name, path.Dir(d.project.Path())).Path
	if found == "" {
		return
	}
	file := d.text(found)
	if file == nil {
		return
	}
	var only *properties.Namespace
	for _, n := range file.Spaces {
		if n.Name == "material" && only == nil && len(file.Spaces) == 1 {
			only = n
		}
	}
	d.out.Walk(func(n *scene.Node, _ scene.Matrix) {
		if n.Mesh == nil {
			return
		}
		for _, id := range []string{n.Name, n.Mesh.Name} {
			if m := d.material(file, file.Find(id), found); m != nil && id != "" {
				d.outfit(n).whole = m
				return
			}
		}
		if only != nil {
			d.outfit(n).whole = d.material(file, only, found)
		}
	})
	if len(d.models) > 0 {
		d.missing("no file says which materials the nodes have: those of %s are shown where the names fit",
			oneLine(found))
	}
}

// clips adds the named ranges of .animation files beside the bundle to its animations: those with their ids, or the
// only one.
func (d *dresser) clips() {
	if d.project == nil || len(d.out.Animations) == 0 {
		return
	}
	files := d.project.Beside(".animation")
	for _, full := range files[:min(len(files), scenesMost)] {
		file := d.text(full)
		if file == nil {
			continue
		}
		for _, n := range file.Spaces {
			if n.Name == "animation" {
				d.clipsOf(file.Space(n), full)
			}
		}
	}
}

func (d *dresser) clipsOf(s *properties.Space, full string) {
	var target *scene.Animation
	for _, a := range d.out.Animations {
		if a.Name == s.ID || len(d.out.Animations) == 1 {
			target = a
		}
	}
	frames, err := strconv.Atoi(s.Get("frameCount"))
	switch {
	case target == nil:
		d.missing("%s does not say which animation its clips are of", oneLine(full))
		return
	case err != nil || frames <= 0:
		d.missing("the clips of %s cannot be placed: its frameCount is not a number of frames", oneLine(full))
		return
	}
	duration := target.Duration()
	for _, c := range s.Spaces() {
		if c.Name != "clip" {
			continue
		}
		begin, err := strconv.ParseFloat(c.Get("begin"), 32)
		end, err2 := strconv.ParseFloat(c.Get("end"), 32)
		if err != nil || err2 != nil || !(begin >= 0) || !(end >= begin) || end > float64(frames) {
			d.missing("the clip %s of %s is not a range of its %d frames", oneLine(c.ID), oneLine(full), frames)
			continue
		}
		each := duration / float32(frames)
		target.Clips = append(target.Clips,
			&scene.Clip{Name: c.ID, Start: float32(begin) * each, End: float32(end) * each,
				Repeat: repeats(c.Get("repeatCount")), Speed: orOne(c.Get("speed"))})
	}
}

// repeats reads how often a clip plays: once if nothing says so, INDEFINITE without end.
func repeats(v string) float32 {
	if v == "INDEFINITE" {
		return 0
	}
	return orOne(v)
}

func orOne(v string) float32 {
	if f, err := strconv.ParseFloat(v, 32); err == nil && f > 0 && f < 1e6 {
		return float32(f)
	}
	return 1
}
