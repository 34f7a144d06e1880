package graph

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/dustin/go-humanize"

	"assay/model"
)

// Part is a part of a graph that is written.
type Part string

// The parts: who needs what, what is missing, what nobody refers to, and what is there twice.
const (
	UsesPart    Part = "uses"
	MissingPart Part = "missing"
	UnusedPart  Part = "unused"
	TwicePart   Part = "twice"
)

// Parts are all parts, in the order in which they are written.
var Parts = []Part{UsesPart, MissingPart, UnusedPart, TwicePart}

// titleMost is how many characters of a title are printed.
const titleMost = 4096

func (g *Graph) line(thing int32) string { return model.OneLine(g.Title(thing), titleMost) }

// users are the things that refer to others, with what they refer to.
func (g *Graph) users(each func(thing int32, uses []Use)) {
	for from := 0; from < len(g.Uses); {
		uses := g.Needs(g.Uses[from].From)
		each(g.Uses[from].From, uses)
		from += len(uses)
	}
}

// WriteText writes parts of a graph for people to read.
func (g *Graph) WriteText(out io.Writer, parts []Part) error {
	w := bufio.NewWriter(out)
	for _, p := range parts {
		switch p {
		case UsesPart:
			g.users(func(thing int32, uses []Use) {
				fmt.Fprintln(w, g.line(thing))
				for _, u := range uses {
					fmt.Fprintf(w, "  %s\n", g.useText(u))
				}
			})
		case MissingPart:
			for u := range g.UsedBy(Missing) {
				fmt.Fprintf(w, "missing: %s, which %s refers to%s\n", u.Name, g.line(u.From), at(u))
			}
		case UnusedPart:
			for _, i := range g.Unused() {
				fmt.Fprintf(w, "nobody refers to: %s\n", g.line(i))
			}
		case TwicePart:
			for _, t := range g.Twice {
				fmt.Fprintf(w, "%d times the same %s bytes, %s saved with one:\n", len(t.Things), humanize.Comma(t.Size),
					humanize.Comma(t.Saved))
				for _, i := range t.Things {
					fmt.Fprintf(w, "  %s\n", g.line(i))
				}
			}
		}
	}
	return w.Flush()
}

func (g *Graph) useText(u Use) string {
	text := "needs " + u.Name + ", which is missing"
	if u.To != Missing {
		text = "needs " + g.line(u.To)
	}
	if u.Count > 1 {
		text += fmt.Sprintf(", %d times", u.Count)
	}
	if u.Guessed {
		text += ", by its name"
	}
	return text
}

func at(u Use) string {
	if u.Path == "" {
		return ""
	}
	return " at " + u.Path
}

// thingJSON names a thing.
type thingJSON struct {
	File  string `json:"file"`
	Asset string `json:"asset,omitempty"`
	Key   string `json:"key,omitempty"`
	Size  *int64 `json:"size,omitempty"`
}

type useJSON struct {
	To      *thingJSON `json:"to"` // null: it is missing
	Name    string     `json:"name"`
	Path    string     `json:"path,omitempty"`
	Count   int        `json:"count"`
	Guessed bool       `json:"guessed,omitempty"`
}

type needsJSON struct {
	thingJSON
	Needs []useJSON `json:"needs"`
}

type missingJSON struct {
	Name  string    `json:"name"`
	From  thingJSON `json:"from"`
	Path  string    `json:"path,omitempty"`
	Count int       `json:"count"`
}

type twiceJSON struct {
	Size   int64       `json:"size"`
	Saved  int64       `json:"saved"`
	Things []thingJSON `json:"things"`
}

// graphJSON is what WriteJSON writes; a part that is not asked for is left out.
type graphJSON struct {
	Uses    *[]needsJSON   `json:"uses,omitempty"`
	Missing *[]missingJSON `json:"missing,omitempty"`
	Unused  *[]thingJSON   `json:"unused,omitempty"`
	Twice   *[]twiceJSON   `json:"twice,omitempty"`
}

func (g *Graph) json(thing int32) thingJSON {
	t := &g.Things[thing]
	out := thingJSON{File: g.Things[g.FileOf(thing)].Name, Key: t.Key}
	if !t.IsFile() {
		out.Asset = t.Name
	}
	if t.Size >= 0 {
		out.Size = &t.Size
	}
	return out
}

// WriteJSON writes parts of a graph as a JSON object with a list for each of them.
func (g *Graph) WriteJSON(out io.Writer, parts []Part) error {
	var all graphJSON
	for _, p := range parts {
		switch p {
		case UsesPart:
			all.Uses = &[]needsJSON{}
			g.users(func(thing int32, uses []Use) {
				n := needsJSON{thingJSON: g.json(thing)}
				for _, u := range uses {
					to := useJSON{Name: u.Name, Path: u.Path, Count: u.Count, Guessed: u.Guessed}
					if u.To != Missing {
						thing := g.json(u.To)
						to.To = &thing
					}
					n.Needs = append(n.Needs, to)
				}
				*all.Uses = append(*all.Uses, n)
			})
		case MissingPart:
			all.Missing = &[]missingJSON{}
			for u := range g.UsedBy(Missing) {
				*all.Missing = append(*all.Missing, missingJSON{u.Name, g.json(u.From), u.Path, u.Count})
			}
		case UnusedPart:
			all.Unused = &[]thingJSON{}
			for _, i := range g.Unused() {
				*all.Unused = append(*all.Unused, g.json(i))
			}
		case TwicePart:
			all.Twice = &[]twiceJSON{}
			for _, t := range g.Twice {
				same := twiceJSON{Size: t.Size, Saved: t.Saved}
				for _, i := range t.Things {
					same.Things = append(same.Things, g.json(i))
				}
				*all.Twice = append(*all.Twice, same)
			}
		}
	}
	w := bufio.NewWriter(out)
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", " ")
	if err := encoder.Encode(all); err != nil {
		return err
	}
	return w.Flush()
}

// WriteDOT writes who uses what in the language of Graphviz: a box for each thing that refers to another or is referred
// to, dashed what is missing; dotted arrows are guessed.
func (g *Graph) WriteDOT(out io.Writer) error {
	w := bufio.NewWriter(out)
	fmt.Fprint(w, "digraph assay {\n  rankdir=LR;\n  node [shape=box];\n")
	named := make(map[int32]bool)
	node := func(thing int32) {
		if !named[thing] {
			named[thing] = true
			fmt.Fprintf(w, "  t%d [label=%s];\n", thing, quoted(g.line(thing)))
		}
	}
	lacking := make(map[string]int)
	for _, u := range g.Uses {
		node(u.From)
		to := fmt.Sprintf("t%d", u.To)
		if u.To != Missing {
			node(u.To)
		} else {
			i, is := lacking[u.Name]
			if !is {
				i = len(lacking)
				lacking[u.Name] = i
				fmt.Fprintf(w, "  m%d [label=%s, style=dashed, color=red];\n", i, quoted(u.Name))
			}
			to = fmt.Sprintf("m%d", i)
		}
		style := ""
		if u.Guessed {
			style = " [style=dotted]"
		}
		fmt.Fprintf(w, "  t%d -> %s%s;\n", u.From, to, style)
	}
	fmt.Fprint(w, "}\n")
	return w.Flush()
}

// quoted is a text as Graphviz reads one in quotes.
func quoted(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text) + `"`
}
