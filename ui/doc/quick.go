package doc

import (
	"context"
	"sort"
	"strings"
	"time"

	"github.com/sahilm/fuzzy"

	"assay/model"
)

// Found is a node that quick open offers.
type Found struct {
	Path  model.Path
	Name  string
	Type  string
	Where string
}

const (
	foundMax   = 200
	quickBatch = 4096
	quickEvery = 150 * time.Millisecond // how often what was found so far is shown
	// quickLong is the length of a list from which only its elements are looked at, not their fields.
	quickLong = 5000
)

// Quick looks for nodes by key or by name, the best first, and shows what it has found so far. It runs in a job.
func (p *Pane) Quick(ctx context.Context, query string, found func([]Found)) {
	d := p.doc
	query = strings.TrimSpace(query)
	var best []Found
	if query == "" {
		root := d.Root()
		for i := range min(root.Len(), foundMax) {
			best = append(best, describe(root.Child(i)))
		}
		found(best)
		return
	}
	var exact []Found
	if d.FindKey != nil {
		for _, key := range []string{query, strings.ToLower(query), strings.ToUpper(query)} {
			if path, ok := d.FindKey(key); ok {
				exact = append(exact, describe(d.At(path)))
				break
			}
		}
	}
	type scored struct {
		Found
		score, order int
	}
	var all []scored
	var names []string
	var nodes []*model.Node
	var shown time.Time
	batch := func(last bool) {
		for _, m := range fuzzy.Find(query, names) {
			all = append(all, scored{describe(nodes[m.Index]), m.Score, len(all)})
		}
		names, nodes = names[:0], nodes[:0]
		sort.Slice(all, func(i, j int) bool {
			if all[i].score != all[j].score {
				return all[i].score > all[j].score
			}
			return all[i].order < all[j].order
		})
		all = all[:min(len(all), foundMax)]
		if now := time.Now(); last || now.Sub(shown) >= quickEvery {
			shown = now
		} else {
			return
		}
		out := append([]Found(nil), exact...)
		for _, s := range all {
			if len(exact) == 0 || !s.Path.Equal(exact[0].Path) {
				out = append(out, s.Found)
			}
		}
		found(out)
	}
	err := model.Walk(d.Root(), func(n *model.Node) (bool, error) {
		if err := ctx.Err(); err != nil {
			return false, err
		}
		if n.Parent != nil {
			label := n.Key
			if label == "" && !digitsOnly(n.Name) {
				label = n.Name
			}
			if label != "" {
				names, nodes = append(names, label), append(nodes, n)
			}
			if len(names) >= quickBatch {
				batch(false)
			}
			if n.Parent.Len() > quickLong {
				return false, nil
			}
		}
		return true, nil
	}, nil)
	if err == nil {
		batch(true)
	}
}

func digitsOnly(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return true
}

func describe(n *model.Node) Found {
	f := Found{Path: n.Path(), Name: n.Name, Type: n.Type, Where: n.PathText()}
	if n.Key != "" {
		f.Name = n.Key
	}
	return f
}
