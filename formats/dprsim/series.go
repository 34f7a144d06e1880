package dprsim

import (
	"cmp"
	"context"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"assay/model"
	"assay/model/scene"
)

// The bounds of a series of states.
const (
	folderMax = 20_000 // files of a folder that are looked at
	stepsMax  = 10_000
)

// numbered is a name with a number as its last digits.
var numbered = regexp.MustCompile(`^(.*?)([0-9]+)([^0-9]*)$`)

// Series sets the steps of a scene: the files of the series that its file is one of, those of the folder whose names
// differ only in a number, in the order of the number. There are none if the file is alone. read returns the catoms of
// a file, which must not need it afterwards.
func Series(s *scene.Scene, file string, read func(ctx context.Context, file string) ([]*scene.Points, error)) {
	names, at := series(filepath.Dir(file), filepath.Base(file))
	s.Step = at
	for _, name := range names {
		s.Steps = append(s.Steps, scene.Step{Name: name, Open: func(ctx context.Context) (*scene.Scene, error) {
			bodies, err := read(ctx, filepath.Join(filepath.Dir(file), name))
			if err != nil {
				return nil, err
			}
			step := World(bodies...)
			step.Name = name
			return step, nil
		}})
	}
}

// series returns the names of a series, none if a name is alone, and the position of the name among them.
func series(folder, name string) (names []string, at int) {
	own := numbered.FindStringSubmatch(name)
	if own == nil {
		return nil, 0
	}
	f, err := model.OpenShared(folder)
	if err != nil {
		return nil, 0
	}
	defer f.Close()
	all, _ := f.Readdirnames(folderMax) // as many as could be read
	var numbers []string
	for _, other := range all {
		n := numbered.FindStringSubmatch(other)
		if n != nil && n[1] == own[1] && n[3] == own[3] && len(numbers) < stepsMax {
			numbers = append(numbers, n[2])
		}
	}
	slices.SortFunc(numbers, compareNumbers)
	at = slices.Index(numbers, own[2])
	if at < 0 || len(numbers) < 2 {
		return nil, 0
	}
	for _, number := range numbers {
		names = append(names, own[1]+number+own[3])
	}
	return names, at
}

// compareNumbers orders numbers of any length by their value; of one value those with fewer zeros before it come last.
func compareNumbers(a, b string) int {
	x, y := strings.TrimLeft(a, "0"), strings.TrimLeft(b, "0")
	return cmp.Or(cmp.Compare(len(x), len(y)), strings.Compare(x, y), strings.Compare(a, b))
}
