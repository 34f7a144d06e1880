package graph

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"assay/model"
)

// Part is a part of a graph that is written.
type Part string

// The parts: the references, missing targets, unused items, and duplicates.
const (
	UsesPart       Part = "uses"
	MissingPart    Part = "missing"
	UnusedPart     Part = "unused"
	DuplicatesPart Part = "twice"
)

// Parts are all parts, in the order of the output.
var Parts = []Part{UsesPart, MissingPart, UnusedPart, DuplicatesPart}

// maxTitle is the maximum number of characters of a title in the output.
const maxTitle = 4096

func (g *Graph) lineTitle(item int32) string { return model.OneLine(g.Title(item), maxTitle) }

// eachUser calls each for the items with references.
func (g *Graph) eachUser(each func(item int32, uses []Use)) {
	for from := 0; from < len(g.Uses); {
		uses := g.Needs(g.Uses[from].From)
		each(g.Uses[from].From, uses)
		from += len(uses)
	}
}

// WriteText writes parts of a graph as text.
func (g *Graph) WriteText(out io.Writer, parts []Part) error {
	w := bufio.NewWriter(out)
	for _, p := range parts {
		switch p {
		case UsesPart:
			g.eachUser(func(item int32, uses []Use) {
				fmt.Fprintln(w, g.lineTitle(item))
				for _, u := range uses {
					fmt.Fprintf(w, "  %s\n", g.useText(u))
				}
			})
		case MissingPart:
			for u := range g.UsedBy(Missing) {
				fmt.Fprintf(w, "missing: %s (used by %s%s)\n", u.Name, g.lineTitle(u.From), locationText(u))
			}
		case UnusedPart:
			for _, i := range g.Unused() {
				fmt.Fprintf(w, "unused: %s\n", g.lineTitle(i))
			}
		case DuplicatesPart:
			for _, t := range g.Duplicates {
				fmt.Fprintf(w, "%d duplicates of %s bytes (%s redundant):\n", len(t.Items), model.FormatCount(t.Size),
					model.FormatCount(t.Saved))
				for _, i := range t.Items {
					fmt.Fprintf(w, "  %s\n", g.lineTitle(i))
				}
			}
		}
	}
	return w.Flush()
}

func (g *Graph) useText(u Use) string {
	text := "uses " + u.Name + " (missing)"
	if u.To != Missing {
		text = "uses " + g.lineTitle(u.To)
	}
	if u.Count > 1 {
		text += fmt.Sprintf(", %d times", u.Count)
	}
	if u.Guessed {
		text += " (matched by name)"
	}
	return text
}

func locationText(u Use) string {
	if u.Path == "" {
		return ""
	}
	return " at " + u.Path
}

type itemJSON struct {
	File  string `json:"file"`
	Asset string `json:"asset,omitempty"`
	Key   string `json:"key,omitempty"`
	Size  *int64 `json:"size,omitempty"`
}

type useJSON struct {
	To      *itemJSON `json:"to"` // null: it is missing
	Name    string    `json:"name"`
	Path    string    `json:"path,omitempty"`
	Count   int       `json:"count"`
	Keys    []string  `json:"keys,omitempty"`
	Guessed bool      `json:"guessed,omitempty"`
}

type needsJSON struct {
	itemJSON
	Needs []useJSON `json:"needs"`
}

type missingJSON struct {
	Name  string   `json:"name"`
	From  itemJSON `json:"from"`
	Path  string   `json:"path,omitempty"`
	Count int      `json:"count"`
}

func (g *Graph) toJSON(item int32) itemJSON {
	t := g.Item(item)
	out := itemJSON{File: g.FileName(item), Key: t.Key}
	if !t.IsFile() {
		out.Asset = t.Name
	}
	if t.Size >= 0 {
		out.Size = &t.Size
	}
	return out
}

// jsonList writes the items of a list in JSON, each on a line of its own, as they come: there can be millions.
type jsonList struct {
	*bufio.Writer
	started bool
}

func (l *jsonList) put(item any) {
	b, _ := json.Marshal(item) // texts and numbers, which all can be written
	if l.started {
		l.WriteByte(',')
	}
	l.started = true
	l.WriteString("\n  ")
	l.Write(b)
}

// WriteJSON writes parts of a graph as a JSON object with a list for each of them.
func (g *Graph) WriteJSON(out io.Writer, parts []Part) error {
	w := bufio.NewWriter(out)
	w.WriteByte('{')
	for i, p := range parts {
		if i > 0 {
			w.WriteByte(',')
		}
		fmt.Fprintf(w, "\n %q: [", p)
		list := &jsonList{Writer: w}
		switch p {
		case UsesPart:
			g.eachUser(func(item int32, uses []Use) { list.put(needsJSON{g.toJSON(item), g.usesJSON(uses)}) })
		case MissingPart:
			for u := range g.UsedBy(Missing) {
				list.put(missingJSON{u.Name, g.toJSON(u.From), u.Path, u.Count})
			}
		case UnusedPart:
			for _, i := range g.Unused() {
				list.put(g.toJSON(i))
			}
		case DuplicatesPart:
			g.writeDuplicatesJSON(w)
		}
		w.WriteString("\n ]")
	}
	w.WriteString("\n}\n")
	return w.Flush()
}

func (g *Graph) usesJSON(uses []Use) (out []useJSON) {
	for _, u := range uses {
		to := useJSON{Name: u.Name, Path: u.Path, Count: u.Count, Keys: u.Keys, Guessed: u.Guessed}
		if u.To != Missing {
			item := g.toJSON(u.To)
			to.To = &item
		}
		out = append(out, to)
	}
	return out
}

func (g *Graph) writeDuplicatesJSON(w *bufio.Writer) {
	for i, t := range g.Duplicates {
		if i > 0 {
			w.WriteByte(',')
		}
		fmt.Fprintf(w, "\n {\"size\": %d, \"saved\": %d, \"things\": [", t.Size, t.Saved)
		list := &jsonList{Writer: w}
		for _, i := range t.Items {
			list.put(g.toJSON(i))
		}
		w.WriteString("]}")
	}
}

// WriteDOT writes the graph in the DOT language of Graphviz: a box for each item with references from or to it, dashed
// if missing; dotted arrows are guessed.
func (g *Graph) WriteDOT(out io.Writer) error {
	w := bufio.NewWriter(out)
	fmt.Fprint(w, "digraph assay {\n  rankdir=LR;\n  node [shape=box];\n")
	written := make(map[int32]bool)
	node := func(item int32) {
		if !written[item] {
			written[item] = true
			fmt.Fprintf(w, "  t%d [label=%s];\n", item, quote(g.lineTitle(item)))
		}
	}
	missing := make(map[string]int)
	for _, u := range g.Uses {
		node(u.From)
		to := fmt.Sprintf("t%d", u.To)
		if u.To != Missing {
			node(u.To)
		} else {
			i, ok := missing[u.Name]
			if !ok {
				i = len(missing)
				missing[u.Name] = i
				fmt.Fprintf(w, "  m%d [label=%s, style=dashed, color=red];\n", i, quote(u.Name))
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

// quote returns a text as Graphviz reads one in quotes.
func quote(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text) + `"`
}
