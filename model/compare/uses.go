package compare

import (
	"context"
	"slices"

	"assay/model/graph"
)

const (
	maxUserFiles = 10_000   // files that are opened to find their references
	maxUserSize  = 64 << 20 // bytes of an opened file
)

// FindUses sets Uses of the files whose bytes are the same in both folders: a model is not drawn as before after a
// change of its texture. status returns the status by the rules of the file with an index.
func FindUses(ctx context.Context, b graph.Builder, roots [2]string, files []File, status func(i int) Status) error {
	same, others := map[string]int{}, [2]map[string]string{{}, {}}
	for i := range files {
		f := &files[i]
		f.Uses = nil
		switch {
		case f.Status == Same && f.Link == "" && f.NewSize <= maxUserSize && b.Opens(f.Name) && len(same) < maxUserFiles:
			same[f.Name] = i
		case f.Status != Same && status(i) != Same:
			others[0][f.OldPath()], others[1][f.Name] = f.Name, f.Name
		}
	}
	if len(same) == 0 || len(others[0]) == 0 {
		return nil
	}
	b.Opens = func(name string) bool { _, ok := same[name]; return ok }
	for side, root := range roots {
		g, err := b.Build(ctx, root)
		if err != nil {
			return err
		}
		for item := range int32(g.Len()) {
			if i, ok := same[g.FileName(item)]; ok && g.IsFile(item) {
				files[i].Uses = append(files[i].Uses, usesOf(g, item, others[side])...)
			}
		}
	}
	for _, i := range same {
		slices.Sort(files[i].Uses)
		files[i].Uses = slices.Compact(files[i].Uses)
	}
	return nil
}

// usesOf returns the named files that a file uses, directly or through others.
func usesOf(g *graph.Graph, item int32, names map[string]string) (used []string) {
	visited, queue := map[int32]bool{item: true}, []int32{item}
	for len(queue) > 0 {
		next := queue[0]
		queue = queue[1:]
		for _, u := range g.Needs(next) {
			if u.To == graph.Missing || visited[g.FileOf(u.To)] {
				continue
			}
			file := g.FileOf(u.To)
			visited[file] = true
			if name, ok := names[g.FileName(file)]; ok {
				used = append(used, name)
				continue
			}
			queue = append(queue, file)
		}
	}
	return used
}
