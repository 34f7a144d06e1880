package kaitai

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"sync"

	"assay/model"
)

// page is the documentation of a description: a section for each type, a term for each attribute. It is created on
// first use.
type page struct {
	once     sync.Once
	page     *model.Page
	sections map[*objectType]*model.Section
	terms    map[*attribute]*model.Term
}

// Page returns the documentation of the description.
func (d *Description) Page() *model.Page {
	d.page.once.Do(d.makePage)
	return d.page.page
}

func (d *Description) makePage() {
	p := &d.page
	p.page = &model.Page{Name: d.ID, Title: d.Title, Text: d.Root.docs.textWithRefs()}
	p.sections, p.terms = map[*objectType]*model.Section{}, map[*attribute]*model.Term{}
	types := slices.Collect(d.Root.withInner())
	for _, id := range slices.Sorted(maps.Keys(d.Imports)) {
		for t := range d.Imports[id].withInner() {
			if !slices.Contains(types, t) {
				types = append(types, t)
			}
		}
	}
	p.page.Sections = make([]model.Section, len(types))
	for i, t := range types {
		s := &p.page.Sections[i]
		p.sections[t] = s
		if s.Title = t.Name; t != d.Root {
			s.Text = t.docs.textWithRefs()
		}
		s.Terms = make([]model.Term, len(t.attributes()))
		for j, a := range t.attributes() {
			s.Terms[j] = model.Term{Title: a.ID, Text: a.docs.textWithRefs(), Values: a.plan.enum.numbers()}
			p.terms[a] = &s.Terms[j]
		}
	}
}

// textWithRefs returns the text and its references.
func (d docs) textWithRefs() string {
	var paragraphs []string
	if text := joinLines(d.Text); text != "" {
		paragraphs = append(paragraphs, text)
	}
	for _, r := range d.references() {
		paragraphs = append(paragraphs, "Source: "+r.String())
	}
	return strings.Join(paragraphs, "\n\n")
}

// numbers returns the members of an enumeration, by their values, or nil if there is no enumeration.
func (e *enum) numbers() []model.NamedNumber {
	if e == nil {
		return nil
	}
	var numbers []model.NamedNumber
	for _, m := range e.byName {
		n, _ := m.Value.IntBits()
		numbers = append(numbers, model.NamedNumber{Number: n, Name: m.Name})
	}
	slices.SortFunc(numbers, func(a, b model.NamedNumber) int { return cmp.Compare(a.Number, b.Number) })
	return numbers
}

func (d *Description) meaning(n *model.Node) model.Meaning {
	m := model.Meaning{Page: d.Page()}
	m.Field, m.References = doc(n)
	a, ok := ruleOf(n)
	switch {
	case !ok:
	case a != nil:
		m.Section, m.Term = d.page.sections[a.plan.owner], d.page.terms[a]
	default:
		m.Section = d.page.sections[d.Root]
	}
	return m
}

// doc returns the documentation of a node in the description, and the documents that it names: of the attribute, its
// type, and its value.
func doc(n *model.Node) (text string, references []model.Reference) {
	var texts []string
	add := func(doc docs) {
		if text := joinLines(doc.Text); text != "" && !slices.Contains(texts, text) {
			texts = append(texts, text)
		}
		for _, r := range doc.references() {
			if !slices.Contains(references, r) {
				references = append(references, r)
			}
		}
	}
	if a := attributeOf(n); a != nil {
		add(a.docs)
		if m := a.plan.enum.member(scalarValue(n.Value, nil)); m != nil && m.docs.Text != "" {
			add(docs{Text: m.Name + ": " + m.docs.Text, Refs: m.docs.Refs})
		}
	}
	if t, ok := n.ReadAs().(*objectType); ok {
		add(t.docs)
	}
	return strings.Join(texts, "\n"), references
}

// references parses the references that are not blank.
func (d docs) references() (parsed []model.Reference) {
	for _, ref := range d.Refs {
		if strings.TrimSpace(ref) != "" {
			parsed = append(parsed, model.ParseReference(ref))
		}
	}
	return parsed
}

// joinLines returns a text without line ends inside paragraphs; those before list items stay.
func joinLines(text string) string {
	var b strings.Builder
	for line := range strings.SplitSeq(strings.TrimSpace(text), "\n") {
		bare := strings.TrimSpace(line)
		switch {
		case b.Len() == 0:
		case bare == "" || strings.HasPrefix(bare, "* ") || strings.HasPrefix(bare, "- ") || line != strings.TrimLeft(line, " \t"):
			b.WriteByte('\n')
		case !strings.HasSuffix(b.String(), "\n"):
			b.WriteByte(' ')
		}
		b.WriteString(strings.TrimRight(line, " \t"))
	}
	return b.String()
}
