package kaitai

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"sync"

	"assay/model"
)

// page is a description as people read it: a section for each type, a term for each attribute. It is made when it is
// first asked for.
type page struct {
	make     sync.Once
	page     *model.Page
	sections map[*Type]*model.Section
	terms    map[*Attribute]*model.Term
}

// Page returns the description as a page for people.
func (d *Description) Page() *model.Page {
	d.page.make.Do(d.makePage)
	return d.page.page
}

func (d *Description) makePage() {
	p := &d.page
	p.page = &model.Page{Name: d.ID, Title: d.Title, Text: d.Root.Doc.joined()}
	p.sections, p.terms = map[*Type]*model.Section{}, map[*Attribute]*model.Term{}
	types := slices.Collect(d.Root.all())
	for _, id := range slices.Sorted(maps.Keys(d.Imports)) {
		for t := range d.Imports[id].all() {
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
			s.Text = t.Doc.joined()
		}
		s.Terms = make([]model.Term, len(t.attributes()))
		for j, a := range t.attributes() {
			s.Terms[j] = model.Term{Title: a.ID, Text: a.Doc.joined(), Values: a.plan.enum.numbers()}
			p.terms[a] = &s.Terms[j]
		}
	}
}

// joined returns what is said, and where more is.
func (d Doc) joined() string {
	var all []string
	for _, text := range append([]string{d.Text}, d.Refs...) {
		if text = joined(text); text != "" {
			all = append(all, text)
		}
	}
	return strings.Join(all, "\n\n")
}

// numbers returns the members of an enumeration, by their values; nil if there is none.
func (e *Enum) numbers() []model.NamedNumber {
	if e == nil {
		return nil
	}
	var all []model.NamedNumber
	for _, m := range e.byName {
		n, _ := m.Value.Whole()
		all = append(all, model.NamedNumber{Number: n, Name: m.Name})
	}
	slices.SortFunc(all, func(a, b model.NamedNumber) int { return cmp.Compare(a.Number, b.Number) })
	return all
}

// meaning returns what the description says about a node.
func (d *Description) meaning(n *model.Node) model.Meaning {
	m := model.Meaning{Field: doc(n), Page: d.Page()}
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
