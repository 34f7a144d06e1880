package model

import (
	"cmp"
	"slices"
	"strings"
)

// CallName returns what a person calls the node apart from its place: what its decoder labelled it with, else its key;
// empty if it has neither.
func (n *Node) CallName() string {
	return cmp.Or(n.Label(), n.Key)
}

// Title returns the name that lists, tabs and files show for a node: its name, after which an element of a list and
// whatever else has a label or a key says what it is called: "0 VisualSceneNode". The root has none of its own: there
// it is Document.Title.
func (n *Node) Title() string {
	called := n.CallName()
	switch {
	case called == "" || called == n.Name:
		return n.Name
	case n.Name == "":
		return called
	}
	return n.Name + " " + called
}

// Element reports whether the node is an element of a list, which has its index for a name.
func (n *Node) Element() bool { return isIndex(n.Name) }

func isIndex(name string) bool {
	for i := range len(name) {
		if name[i] < '0' || name[i] > '9' {
			return false
		}
	}
	return name != ""
}

// Title returns the title of a node of the document: that of the root is the name of the file.
func (d *Document) Title(n *Node) string {
	if n == nil || n.Parent == nil {
		return d.Source.Name()
	}
	return n.Title()
}

// TitleWay returns the titles from the root's child down to the node, for people; at most the last few of a deep one.
func (n *Node) TitleWay() string {
	const most = 12
	var titles []string
	for p := n; p.Parent != nil; p = p.Parent {
		if len(titles) == most {
			titles = append(titles, "…")
			break
		}
		titles = append(titles, p.Title())
	}
	slices.Reverse(titles)
	return strings.Join(titles, " / ")
}
