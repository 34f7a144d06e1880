package dprsim

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"assay/formats/decode"
	"assay/model"
	"assay/model/scene"
)

// The bounds of a series of states.
const (
	folderMost = 20_000 // files of a folder that are looked at
	stepsMost  = 10_000
)

// numbered is a name with a number as its last digits.
var numbered = regexp.MustCompile(`^(.*?)([0-9]+)([^0-9]*)$`)

// series returns the files of the series that a file is one of, those of its folder that differ in a number only, in
// the order of the number; none if there is only one. at is the file's own place.
func series(file string) (files []string, at int) {
	own := numbered.FindStringSubmatch(filepath.Base(file))
	if own == nil {
		return nil, 0
	}
	folder, err := model.OpenShared(filepath.Dir(file))
	if err != nil {
		return nil, 0
	}
	defer folder.Close()
	names, _ := folder.Readdirnames(folderMost) // as many as could be read
	var steps []string
	for _, name := range names {
		n := numbered.FindStringSubmatch(name)
		if n != nil && n[1] == own[1] && n[3] == own[3] && len(steps) < stepsMost {
			steps = append(steps, n[2])
		}
	}
	slices.SortFunc(steps, func(a, b string) int {
		short, other := strings.TrimLeft(a, "0"), strings.TrimLeft(b, "0")
		return cmp.Or(cmp.Compare(len(short), len(other)), strings.Compare(short, other), strings.Compare(a, b))
	})
	at = slices.Index(steps, own[2])
	if at < 0 || len(steps) < 2 {
		return nil, 0
	}
	for _, number := range steps {
		files = append(files, filepath.Join(filepath.Dir(file), own[1]+number+own[3]))
	}
	return files, at
}

// steps gives a scene the series that its file is one of.
func (r *reader) steps(s *scene.Scene) {
	if r.c.Source().Path() == "" {
		return
	}
	files, at := series(r.c.Source().Path())
	s.Step = at
	for _, file := range files {
		s.Steps = append(s.Steps, scene.Step{Name: filepath.Base(file),
			Open: func(ctx context.Context) (*scene.Scene, error) { return step(ctx, file, r.o) }})
	}
}

// step reads a state, a file of a series, into memory. A file that is not a state is an error: an experiment has no
// catoms of its own, and its world may be an experiment again, even itself.
func step(ctx context.Context, file string, o options) (*scene.Scene, error) {
	src, err := model.OpenFile(file)
	if err != nil {
		return nil, err
	}
	defer src.Close()
	head, err := headOf(src)
	if err != nil {
		return nil, err
	}
	if SniffState(head, src.Size()) == decode.No {
		return nil, fmt.Errorf("%s is not a DPRSim world or state", src.Name())
	}
	d, err := openState(ctx, src, o)
	if err != nil {
		return nil, err
	}
	out := &scene.Scene{Name: src.Name()}
	v, err := d.View(ctx, d.Root())
	s, ok := v.(*scene.Scene)
	if err != nil || !ok {
		return out, err
	}
	for _, n := range s.Roots {
		p, err := n.Points.Hold()
		if err != nil {
			return nil, err
		}
		out.Roots = append(out.Roots, &scene.Node{Transform: n.Transform, Points: p})
	}
	return out, nil
}
