package changes

import (
	"fmt"
	"strings"

	"assay/model"
	"assay/model/compare"
	"assay/model/compare/contents"
)

// Line is a row of the report in words.
type Line struct {
	Sign   string // of its state: ~ changed, > moved, + added, - removed
	Path   string
	What   string // type and key
	Change string // old → new, where from, how much
	Part   contents.PartChange
}

// LineOf describes a pair in one line.
func LineOf(p *compare.Pair, b *Blocks) Line { return LineWithPath(p, p.Node().NamePath(), b) }

// LineWithPath describes a pair as LineOf does; path is the path of its node.
func LineWithPath(p *compare.Pair, path string, b *Blocks) Line {
	part := ChangeOf(p, b)
	return Line{p.Status.Sign(), model.OneLine(path, 1000), typeAndKey(p.Node(), path), part.Value(), part}
}

// typeAndKey returns the type of a node, and its key unless the name or the path ends with it.
func typeAndKey(n *model.Node, path string) string {
	s := "[" + model.OneLine(n.Type, 200) + "]"
	if n.Key != "" && n.Key != n.Name && !strings.HasSuffix(path, "/"+n.Key) {
		s += " " + model.OneLine(n.Key, 200)
	}
	return s
}

// whereFrom returns the old path or index and the old key of a moved pair as text.
func whereFrom(p *compare.Pair) string {
	var s []string
	old, new := p.Old, p.New
	renamed := p.Renamed || p.HasOtherKey()
	from, index := old.NamePath(), indexChange(old, new)
	isInList := !renamed && old.Parent != nil && new.Parent != nil && old.Parent.NamePath() == new.Parent.NamePath()
	switch {
	case index != "" && (isInList || from == new.NamePath()):
		s = append(s, index)
	case from != new.NamePath():
		s = append(s, "was "+model.OneLine(from, 1000))
	case !renamed && old.Offset != new.Offset:
		s = append(s, fmt.Sprintf("offset %#x → %#x", old.Offset, new.Offset))
	case !renamed:
		s = append(s, "order changed")
	}
	if old.Key != new.Key {
		s = append(s, "renamed from "+model.OneLine(old.Key, 200)+similarityText(p.Similarity()))
	}
	return strings.Join(s, ", ")
}

// indexChange returns the indexes of an element that moved within its list as text, or "" if they are the same.
func indexChange(old, new *model.Node) string {
	if old.Name == new.Name {
		return ""
	}
	return "was number " + old.Name + ", is " + new.Name
}

// similarityText returns the share of its content that a renamed item kept as text, or "" if the content is the same.
func similarityText(share float64) string {
	if share == 0 {
		return ""
	}
	return fmt.Sprintf(" (%d%% similar)", min(int(100*share), 99))
}
