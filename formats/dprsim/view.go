package dprsim

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"assay/formats/decode"
	"assay/model"
	"assay/model/scene"
)

// view returns the view of a node of a state: the catoms of its body as cubes, or of all bodies for the whole file.
// Each call for a node returns the same scene.
func (r *chunkReader) view() func(context.Context, *model.Node) (model.View, error) {
	makeScene := sync.OnceValue(func() *scene.Scene {
		s := world(r.bodies...)
		if src := r.c.Source(); s != nil && src.Path() != "" && src.Version() == nil {
			addSteps(s, src.Path(), func(ctx context.Context, file string) ([]*scene.Points, error) {
				src, err := model.OpenFile(file)
				if err != nil {
					return nil, err
				}
				return readCatoms(ctx, src, r.options)
			})
		}
		return s
	})
	single := make([]func() *scene.Scene, len(r.bodies))
	for i := range single {
		single[i] = sync.OnceValue(func() *scene.Scene { return world(r.bodies[i]) })
	}
	return func(_ context.Context, n *model.Node) (model.View, error) {
		view := makeScene
		if n.Parent != nil {
			i := slices.IndexFunc(r.bodies, func(b *body) bool { return isWithin(n, b.content) })
			if i < 0 {
				return nil, nil
			}
			if len(r.bodies) > 1 {
				view = single[i]
			}
		}
		if s := view(); s != nil {
			return s, nil
		}
		return nil, nil
	}
}

// isWithin reports whether n is the ancestor or below it.
func isWithin(n, ancestor *model.Node) bool {
	for ; n != nil; n = n.Parent {
		if n == ancestor {
			return true
		}
	}
	return false
}

// world returns the scene of the catoms of bodies, or nil if no catom has a position.
func world(bodies ...*body) *scene.Scene {
	if points := cubes(bodies); len(points) > 0 {
		return pointsScene(points...)
	}
	return nil
}

// cubes returns the catoms of the bodies that have positions.
func cubes(bodies []*body) (points []*scene.Points) {
	for _, b := range bodies {
		if p := b.cubes(); p != nil {
			points = append(points, p)
		}
	}
	return points
}

// errNotDrawn is why a file has no catoms to draw.
var errNotDrawn = errors.New("no catom positions in this file")

// readCatoms reads the catoms of a state into memory, and closes it. Any other file is an error: an experiment has no
// catoms, and its world may be an experiment again, even itself.
func readCatoms(ctx context.Context, src *model.Source, o options) (points []*scene.Points, err error) {
	defer src.Close()
	head, err := headOf(src)
	if err != nil {
		return nil, err
	}
	if SniffState(head, src.Size()) == decode.No {
		return nil, errNotDrawn
	}
	r, err := readState(ctx, src, o)
	if err != nil {
		return nil, err
	}
	for _, p := range cubes(r.bodies) {
		p, err := p.Load()
		if err != nil {
			return nil, err
		}
		points = append(points, p)
	}
	return points, nil
}

// view returns the scene of an experiment: its world, objects and camera. Each call returns the same scene.
func (x *experiment) view() func(context.Context, *model.Node) (model.View, error) {
	var mu sync.Mutex
	var view *scene.Scene
	return func(ctx context.Context, _ *model.Node) (model.View, error) {
		mu.Lock()
		defer mu.Unlock()
		if view == nil {
			s := x.sceneSettings().scene(ctx)
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			view = s
		}
		if len(view.Roots) == 0 {
			return nil, nil
		}
		return view, nil
	}
}

// sceneSettings returns the scene settings of the experiment. The last value of a duplicate key wins, except for
// objects.
func (x *experiment) sceneSettings() *sceneSettings {
	settings := make(map[string]string)
	for i := range x.starts[entryLine] {
		if key, value := x.entry(i); knownKeys[key] {
			settings[key] = value
		}
	}
	return &sceneSettings{
		objects: func(yield func(*object) bool) {
			for i := range x.starts[entryLine] {
				if key, _ := x.entry(i); key == objectKey && !yield(x.objectAt(i)) {
					return
				}
			}
		},
		lattice: settings["LATTICE"], catomRadius: settings["CATOM_RADIUS"],
		catoms:     func(ctx context.Context) ([]*scene.Points, error) { return x.catoms(ctx, settings[worldKey]) },
		cameraAt:   vector(settings["CAMERA"]),
		cameraLook: vector(settings["CAMERALOOK"]),
		aspect:     aspect(settings["RESOLUTIONX"], settings["RESOLUTIONY"]),
	}
}

// catoms returns the catoms of the named world. The error is a sentence.
func (x *experiment) catoms(ctx context.Context, world string) ([]*scene.Points, error) {
	src := x.c.Source()
	if world == "" || src.Path() == "" && src.Version() == nil {
		return nil, nil
	}
	title := model.OneLine(world, 60)
	file, err := openWorld(src, world)
	if file == nil && err == nil {
		return nil, fmt.Errorf("world file %s not found beside the experiment", title)
	}
	var points []*scene.Points
	if err == nil {
		points, err = readCatoms(ctx, file, options{})
	}
	if err == nil && len(points) == 0 {
		err = errNotDrawn
	}
	if err != nil {
		return nil, fmt.Errorf("the world %s cannot be drawn: %w", title, err)
	}
	return points, nil
}

// aspect returns the ratio of width to height, or 0 if it is unknown.
func aspect(width, height string) float32 {
	x, _ := strconv.ParseFloat(width, 32)
	y, _ := strconv.ParseFloat(height, 32)
	if !(x > 0 && y > 0) {
		return 0
	}
	return float32(x / y)
}

// vector parses three numbers with commas between them, or returns nil.
func vector(text string) *[3]float64 {
	parts := strings.Split(text, ",")
	if len(parts) != 3 {
		return nil
	}
	var v [3]float64
	for k, s := range parts {
		f, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
		if err != nil || !(math.Abs(f) < 1e9) {
			return nil
		}
		v[k] = f
	}
	return &v
}

// worldLink returns the link from an experiment's WORLD to the file that it names.
func worldLink(name string) *model.Link {
	return &model.Link{File: name, Resolve: func(folder string) (string, bool) { return resolveWorld(folder, name) }}
}

// resolveWorld finds the file of an experiment's WORLD in the experiment's folder or below it.
func resolveWorld(folder, name string) (string, bool) {
	root, err := os.OpenRoot(folder) // links do not lead out of it
	if err != nil {
		return "", false
	}
	defer root.Close()
	file, ok := worldIn(root.FS(), name)
	return filepath.Join(folder, filepath.FromSlash(file)), ok
}

// worldIn finds the file of an experiment's WORLD: first by the name as written, then, without regard to case, by its
// stem with the same extension, .world or .state (the document's own sample has .dpr).
func worldIn(files fs.FS, name string) (string, bool) {
	if name = path.Clean(strings.ReplaceAll(name, `\`, "/")); !filepath.IsLocal(filepath.FromSlash(name)) {
		return "", false
	}
	isFile := func(name string) bool {
		info, err := fs.Stat(files, name)
		return err == nil && info.Mode().IsRegular()
	}
	if isFile(name) {
		return name, true
	}
	entries, _ := fs.ReadDir(files, path.Dir(name)) // an unreadable folder counts as empty
	for _, extension := range []string{strings.ToLower(path.Ext(name)), ".world", ".state"} {
		for _, f := range entries {
			other := f.Name()
			if strings.EqualFold(stem(other), stem(path.Base(name))) && strings.EqualFold(path.Ext(other), extension) {
				if other = path.Join(path.Dir(name), other); isFile(other) {
					return other, true
				}
			}
		}
	}
	return "", false
}

// openWorld opens the file of the WORLD of an experiment: of the same version for a version of it that has the file,
// else the one on disk beside it. It returns nil if there is none.
func openWorld(src *model.Source, name string) (*model.Source, error) {
	experiment := src.Path()
	if v := src.Version(); v != nil {
		experiment = v.Path
		if v.Files != nil {
			files := v.Files(filepath.Dir(experiment))
			if inVersion, ok := worldIn(files, name); ok {
				b, err := fs.ReadFile(files, inVersion)
				return model.NewSource(path.Base(inVersion), bytes.NewReader(b), int64(len(b))), err
			}
		}
	}
	src.NoteDependency(filepath.Dir(experiment))
	found, ok := resolveWorld(filepath.Dir(experiment), name)
	src.NoteDependency(found)
	if !ok {
		return nil, nil
	}
	return model.OpenFile(found)
}

func stem(name string) string { return strings.TrimSuffix(name, path.Ext(name)) }

// The bounds of a series of states.
const (
	maxFolder = 20_000 // files of a folder that are examined
	maxSteps  = 10_000
)

// numberedName matches a name with a number as its last digits.
var numberedName = regexp.MustCompile(`^(.*?)([0-9]+)([^0-9]*)$`)

// addSteps sets the steps of a scene: the files in the folder of file whose names differ in one number only, in numeric
// order. A single file has no steps. read returns the catoms of a file, which must not need the file afterwards.
func addSteps(s *scene.Scene, file string, read func(ctx context.Context, file string) ([]*scene.Points, error)) {
	names, index := series(filepath.Dir(file), filepath.Base(file))
	s.Step = index
	for _, name := range names {
		s.Steps = append(s.Steps, scene.Step{Name: name, Open: func(ctx context.Context) (*scene.Scene, error) {
			bodies, err := read(ctx, filepath.Join(filepath.Dir(file), name))
			if err != nil {
				return nil, err
			}
			step := pointsScene(bodies...)
			step.Name = name
			return step, nil
		}})
	}
}

// series returns the names of a series, and the index of name among them. The names are nil if there is only one, if
// name has no number, or if it is not found in the folder.
func series(folder, name string) (names []string, index int) {
	digits := numberedName.FindStringSubmatch(name)
	if digits == nil {
		return nil, 0
	}
	f, err := model.OpenShared(folder)
	if err != nil {
		return nil, 0
	}
	defer f.Close()
	files, _ := f.Readdirnames(maxFolder) // partial on an error
	var numbers []string
	for _, other := range files {
		n := numberedName.FindStringSubmatch(other)
		if n != nil && n[1] == digits[1] && n[3] == digits[3] && len(numbers) < maxSteps {
			numbers = append(numbers, n[2])
		}
	}
	slices.SortFunc(numbers, compareNumbers)
	index = slices.Index(numbers, digits[2])
	if index < 0 || len(numbers) < 2 {
		return nil, 0
	}
	for _, number := range numbers {
		names = append(names, digits[1]+number+digits[3])
	}
	return names, index
}

// compareNumbers orders numbers of any length by their value, and equal values by falling numbers of leading zeros.
func compareNumbers(a, b string) int {
	x, y := strings.TrimLeft(a, "0"), strings.TrimLeft(b, "0")
	return cmp.Or(cmp.Compare(len(x), len(y)), strings.Compare(x, y), strings.Compare(a, b))
}
