// Package graph says who uses what: which files and assets of packages in a folder refer to which, what is referred to
// and not there, what nobody refers to, and what is there twice.
//
//	graph.go    the graph, and what is asked of it
//	things.go   files and assets, of which there can be millions
//	build.go    reads files and packages, each on a processor of its own
//	collect.go  what a document refers to
//	resolve.go  finds what is meant by a reference among all that was read
//	twice.go    compares contents
//	write.go    text, DOT and JSON
//
// A file refers to what its links name (model.Link), and to the materials that its scene takes by their names. What
// only the code of a game knows is not in it: that nobody refers to a file does not say that it is not needed.
package graph

import (
	"cmp"
	"iter"
	"slices"
	"sort"

	"assay/model"
)

// Missing is the number of what is not there, as Use.To.
const Missing = -1

// Use is a reference of one thing to another.
type Use struct {
	From int32 // the number of a thing
	To   int32 // the number of a thing, or Missing
	// Name is what is meant, as the thing that refers to it says.
	Name string
	// Path is that of the first node that says so, in the document of the file, or of the asset where it is opened as a
	// file; empty for a use that is Guessed.
	Path string
	Span model.Span // of that node
	// Keys are the keys of the nodes of a file that are meant, where it says so: the first of them.
	Keys    []string
	Count   int  // how often it is said
	Inside  bool // the node is in the content of an asset, which is opened as a file
	Guessed bool // it is taken for its name, where the files say nothing
}

// Twice is things of which all have the same bytes.
type Twice struct {
	Things []int32
	Size   int64 // bytes of the content
	Saved  int64 // bytes of all stored contents but the first
}

// Graph is who uses what. It is not changed once it is built.
type Graph struct {
	things
	Uses  []Use    // by From
	Twice []Twice  // those that save most first
	Paths []string // of the files, as Thing.File counts them

	to []int32 // numbers of Uses, by To
}

// index sorts what is looked up.
func (g *Graph) index() {
	slices.SortStableFunc(g.Uses, func(a, b Use) int { return cmp.Compare(a.From, b.From) })
	g.to = make([]int32, len(g.Uses))
	for i := range g.to {
		g.to[i] = int32(i)
	}
	slices.SortStableFunc(g.to, func(a, b int32) int { return cmp.Compare(g.Uses[a].To, g.Uses[b].To) })
}

// FileAt returns the number of the thing that is a file of Paths.
func (g *Graph) FileAt(file int32) int32 { return g.files[file] }

// FileOf returns the number of the thing that is the file of a thing.
func (g *Graph) FileOf(thing int32) int32 { return g.files[g.all[thing].file] }

// FileName returns the name of the file of a thing.
func (g *Graph) FileName(thing int32) string {
	file := g.Thing(g.FileOf(thing))
	return file.Name
}

// IsFile reports whether a thing is a file.
func (g *Graph) IsFile(thing int32) bool { return g.FileOf(thing) == thing }

// Title returns what a thing is called: the file, and the asset in it.
func (g *Graph) Title(thing int32) string {
	t := g.Thing(thing)
	if t.IsFile() {
		return t.Name
	}
	return g.FileName(thing) + ": " + cmp.Or(t.Name, t.Key)
}

// Needs are the references of a thing.
func (g *Graph) Needs(thing int32) []Use {
	from := sort.Search(len(g.Uses), func(i int) bool { return g.Uses[i].From >= thing })
	to := from + sort.Search(len(g.Uses)-from, func(i int) bool { return g.Uses[from+i].From > thing })
	return g.Uses[from:to]
}

// UsedBy are the references to a thing; to Missing, those to what is not there.
func (g *Graph) UsedBy(thing int32) iter.Seq[Use] {
	return func(yield func(Use) bool) {
		from := sort.Search(len(g.to), func(i int) bool { return g.Uses[g.to[i]].To >= thing })
		for _, i := range g.to[from:] {
			if g.Uses[i].To != thing || !yield(g.Uses[i]) {
				return
			}
		}
	}
}

// Users is how many things refer to a thing; to Missing, how many references lead to nothing.
func (g *Graph) Users(thing int32) int {
	before := func(thing int32) int {
		return sort.Search(len(g.to), func(i int) bool { return g.Uses[g.to[i]].To >= thing })
	}
	return before(thing+1) - before(thing)
}

// Saved is how many bytes fewer there would be if nothing was there twice.
func (g *Graph) Saved() (n int64) {
	for _, t := range g.Twice {
		n += t.Saved
	}
	return n
}

// Unused are the things that nobody refers to. Assets are among them only where others of their package are referred
// to: the assets of most packages are asked for by the code of the game.
func (g *Graph) Unused() []int32 {
	linked := make([]bool, len(g.Paths))
	used := make([]bool, g.Len())
	for i := range g.Uses {
		to := g.Uses[i].To
		if to == Missing {
			continue
		}
		used[to] = true
		if !g.IsFile(to) {
			linked[g.all[to].file] = true
		}
		if file := g.FileOf(to); file != g.FileOf(g.Uses[i].From) {
			used[file] = true
		}
	}
	var all []int32
	for i := range int32(g.Len()) {
		if !used[i] && (g.IsFile(i) || linked[g.all[i].file]) {
			all = append(all, i)
		}
	}
	return all
}
