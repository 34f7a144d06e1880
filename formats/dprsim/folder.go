package dprsim

import (
	"bytes"
	"cmp"
	"context"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"assay/model"
	"assay/model/scene"
)

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

// series returns the names of a series, or nil if there is only one, and the index of name among them.
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
