package decode

import (
	"cmp"
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"sync"

	"assay/model"
)

// common documents the fields that all formats have. It ends each page.
//
//go:embed common.md
var common string

// Glossary is the documentation of a format. It is parsed on first use.
type Glossary struct {
	Name string // short name of the format
	Text string
	// Values are the numbers of enums and the bits of flags, by type and field: "Camera.cameraType".
	Values map[string]model.Choices
	// FieldOf returns the type and the field that document a node, if they differ from its parent's type and its own
	// name, as for the entry of a text by its key. ok is false for all other nodes. FieldOf may be nil.
	FieldOf func(n *model.Node) (typ, field string, ok bool)
	// Written returns an alternative notation of the value of a node, or "". It may be nil.
	Written func(n *model.Node) string

	once   sync.Once
	page   *model.Page
	types  map[string]int // the section of each type
	fields [][]field      // of each section
}

// field is a name under which a term is found.
type field struct {
	name     string // without the asterisk
	isPrefix bool   // the name is a prefix
	term     int
}

// The types that stand for any list, and for any type.
const (
	anyList = "[]"
	anyType = "*"
)

// Page returns the page of the format. The program carries its text: a test parses each, so an error is not expected.
func (g *Glossary) Page() *model.Page {
	g.once.Do(func() {
		if err := g.parse(); err != nil {
			panic(fmt.Sprintf("the words about %s: %v", g.Name, err))
		}
	})
	return g.page
}

func (g *Glossary) parse() error {
	g.page, g.types = &model.Page{Name: g.Name}, map[string]int{}
	for _, block := range blocks(g.Text + "\n" + common) {
		if err := g.add(block); err != nil {
			return err
		}
	}
	for key, v := range g.Values {
		typ, name, _ := strings.Cut(key, ".")
		s, t := g.find(typ, name)
		if t < 0 {
			return fmt.Errorf("there are values of %s, which is not described", key)
		}
		g.page.Sections[s].Terms[t].Values = v.All()
	}
	return nil
}

// blocks returns the headings, points and paragraphs of a text, each as one line, except for examples: lines indented
// by four blanks, after an empty line.
func blocks(text string) []string {
	var paragraphs []string
	isOpen, isExample := false, false // the last block continues; it is an example
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		bare := strings.TrimSpace(line)
		switch begins := strings.HasPrefix(bare, "#") || strings.HasPrefix(bare, "- "); {
		case bare == "":
			isOpen = false
		case isOpen && isExample:
			paragraphs[len(paragraphs)-1] += "\n" + line
		case isOpen && !begins:
			paragraphs[len(paragraphs)-1] += " " + bare
		case strings.HasPrefix(line, "    "):
			paragraphs, isOpen, isExample = append(paragraphs, line), true, true
		default:
			paragraphs, isOpen, isExample = append(paragraphs, bare), !strings.HasPrefix(bare, "#"), false
		}
	}
	return paragraphs
}

// add parses a heading, a point or a paragraph.
func (g *Glossary) add(block string) error {
	p := g.page
	last := len(p.Sections) - 1
	switch {
	case strings.HasPrefix(block, "# "):
		p.Title = block[2:]
	case strings.HasPrefix(block, "## "):
		return g.addSection(block[3:])
	case strings.HasPrefix(block, "- "):
		return g.addTerm(block[2:])
	case last < 0:
		p.Text = paragraph(p.Text, strings.ReplaceAll(block, "`", ""))
	case len(p.Sections[last].Terms) > 0:
		return fmt.Errorf("a paragraph after the fields: %s", model.OneLine(block, 60))
	default:
		s := &p.Sections[last]
		s.Text, s.Source = splitSource(paragraph(s.Text, block))
	}
	return nil
}

func (g *Glossary) addSection(heading string) error {
	title, names := splitQuotes(heading)
	for _, name := range names {
		if _, ok := g.types[name]; ok {
			return fmt.Errorf("a second section about %s", name)
		}
		g.types[name] = len(g.page.Sections)
	}
	g.page.Sections, g.fields = append(g.page.Sections, model.Section{Title: title}), append(g.fields, nil)
	return nil
}

func (g *Glossary) addTerm(point string) error {
	last := len(g.page.Sections) - 1
	named, text, ok := strings.Cut(point, ": ")
	title, names := splitQuotes(named)
	if last < 0 || !ok || len(names) == 0 {
		return fmt.Errorf("a point without a name and a text below a heading: %s", model.OneLine(point, 60))
	}
	s := &g.page.Sections[last]
	for _, name := range names {
		f := field{term: len(s.Terms)}
		f.name, f.isPrefix = strings.CutSuffix(name, "*")
		if slices.ContainsFunc(g.fields[last], func(o field) bool { return o.name == f.name && o.isPrefix == f.isPrefix }) {
			return fmt.Errorf("%s is described twice", name)
		}
		g.fields[last] = append(g.fields[last], f)
	}
	t := model.Term{Title: title}
	t.Text, t.Source = splitSource(text)
	s.Terms = append(s.Terms, t)
	return nil
}

func paragraph(before, block string) string {
	if before == "" {
		return block
	}
	return before + "\n\n" + block
}

// splitQuotes returns text without its back quotes, and the quoted parts.
func splitQuotes(text string) (plain string, names []string) {
	for i, part := range strings.Split(text, "`") {
		if plain += part; i%2 == 1 {
			names = append(names, part)
		}
	}
	return plain, names
}

// splitSource splits text into the description and the sentences at its end that cite the document.
func splitSource(text string) (about, source string) {
	text = strings.ReplaceAll(text, "`", "")
	found := -1
	for _, word := range []string{"Published", "Not published"} {
		if strings.HasPrefix(text, word) {
			found = 0
		} else if i := strings.Index(text, ". "+word); i >= 0 && (found < 0 || i+2 < found) {
			found = i + 2
		}
	}
	if found < 0 {
		return text, ""
	}
	return strings.TrimSpace(text[:found]), text[found:]
}

// find returns the section of a type and the term of a field in it, or -1 where the page has none.
func (g *Glossary) find(typ, name string) (section, term int) {
	section, ok := g.types[typ]
	if !ok {
		return -1, -1
	}
	term = -1
	for _, f := range g.fields[section] {
		switch {
		case f.name == name && !f.isPrefix:
			return section, f.term
		case term < 0 && f.isPrefix && strings.HasPrefix(name, f.name):
			term = f.term
		}
	}
	return section, term
}

// entryOf returns the section and the term that document a node, or -1 where the page has none.
func (g *Glossary) entryOf(n *model.Node) (section, term int) {
	if n.Parent == nil {
		return -1, -1
	}
	if g.FieldOf != nil {
		if typ, name, ok := g.FieldOf(n); ok {
			if section, term = g.find(typ, name); term >= 0 {
				return section, term
			}
		}
	}
	if section, term = g.find(n.Parent.Type, n.Name); term >= 0 || n.IsElement() {
		return section, term
	}
	if strings.HasSuffix(n.Parent.Type, anyList) {
		if s, t := g.find(anyList, n.Name); t >= 0 {
			return s, t
		}
	}
	if s, t := g.find(anyType, n.Name); t >= 0 {
		return s, t
	}
	return section, term
}

// Meaning returns the documentation of a node's field and type; for an element without either, of its list.
func (g *Glossary) Meaning(n *model.Node) model.Meaning {
	m := model.Meaning{Page: g.Page()}
	section, term := g.entryOf(n)
	if section >= 0 {
		m.Section = &g.page.Sections[section]
	}
	typ, hasSection := g.types[n.Type]
	if hasSection {
		m.Type, m.Source = g.page.Sections[typ].Text, g.page.Sections[typ].Source
	}
	switch {
	case term >= 0:
		m.Term = &m.Section.Terms[term]
		m.Field, m.Source = m.Term.Text, cmp.Or(m.Term.Source, m.Section.Source)
	case hasSection:
		m.Section = &g.page.Sections[typ]
	case n.Parent != nil && n.IsElement():
		parent := g.Meaning(n.Parent)
		m.Field, m.Source, m.Section, m.Term = parent.Field, parent.Source, parent.Section, parent.Term
	}
	if g.Written != nil {
		m.Written = g.Written(n)
	}
	return m
}
