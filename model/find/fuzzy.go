package find

import (
	"cmp"
	"context"
	"sort"
	"strings"

	"github.com/sahilm/fuzzy"

	"assay/model"
)

// Named is a node whose key or name is like what was typed.
type Named struct {
	Path  model.Path
	Name  string // what it is called: its label, its key, or its name
	Type  string
	Where string
}

const (
	fuzzyMax   = 200
	fuzzyBatch = 4096
	// longList is the length of a list of which only the elements are searched, not their fields.
	longList = 5000
)

// Fuzzy finds the nodes whose keys or names are most like a text, the best first. It calls found with the best so far
// after each doubling of the number of nodes, and at the end. An empty text finds the first nodes of the document.
func Fuzzy(ctx context.Context, d *model.Document, text string, found func([]Named)) error {
	text = strings.TrimSpace(text)
	if text == "" {
		var first []Named
		root := d.Root()
		for i := range min(root.Len(), fuzzyMax) {
			first = append(first, namedNode(root.Child(i)))
		}
		found(first)
		return nil
	}
	s := &fuzzySearch{text: text}
	if path, ok := findKey(d, text); ok {
		exact := namedNode(d.At(path))
		s.exact = &exact
	}
	next := fuzzyBatch
	err := model.Walk(d.Root(), func(n *model.Node) (below bool, err error) {
		if err := ctx.Err(); err != nil {
			return false, err
		}
		if n.Parent == nil {
			return true, nil
		}
		s.add(n)
		if s.seen >= next {
			next *= 2
			found(s.best())
		}
		return n.Parent.Len() <= longList, nil
	}, nil)
	if err != nil {
		return err
	}
	found(s.best())
	return nil
}

// findKey finds a key in any case.
func findKey(d *model.Document, key string) (model.Path, bool) {
	if d.FindKey == nil {
		return nil, false
	}
	for _, k := range []string{key, strings.ToLower(key), strings.ToUpper(key)} {
		if path, ok := d.FindKey(k); ok {
			return path, true
		}
	}
	return nil, false
}

// fuzzySearch keeps the best of the nodes that it was given, and a batch of those that it has not judged.
type fuzzySearch struct {
	text  string
	exact *Named // the node with the text as its key
	kept  []scored
	names []string
	nodes []*model.Node
	seen  int
}

type scored struct {
	Named
	score int
}

// add takes a node into the batch unless it has no name but its index.
func (s *fuzzySearch) add(n *model.Node) {
	label := n.CallName()
	if label == "" && !n.Element() {
		label = n.Name
	}
	if label == "" {
		return
	}
	s.names, s.nodes = append(s.names, label), append(s.nodes, n)
	if s.seen++; len(s.names) == fuzzyBatch {
		s.judge()
	}
}

// judge scores the batch and keeps the best of all.
func (s *fuzzySearch) judge() {
	for _, m := range fuzzy.Find(s.text, s.names) {
		s.kept = append(s.kept, scored{namedNode(s.nodes[m.Index]), m.Score})
	}
	s.names, s.nodes = s.names[:0], s.nodes[:0]
	sort.SliceStable(s.kept, func(i, j int) bool { return s.kept[i].score > s.kept[j].score })
	s.kept = s.kept[:min(len(s.kept), fuzzyMax)]
}

// best returns what was found so far.
func (s *fuzzySearch) best() []Named {
	s.judge()
	var out []Named
	if s.exact != nil {
		out = append(out, *s.exact)
	}
	for _, k := range s.kept {
		if s.exact == nil || !k.Path.Equal(s.exact.Path) {
			out = append(out, k.Named)
		}
	}
	return out
}

func namedNode(n *model.Node) Named {
	return Named{Path: n.Path(), Name: cmp.Or(n.CallName(), n.Name), Type: n.Type, Where: n.TitleWay()}
}
