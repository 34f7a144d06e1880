package model

import (
	"strings"
	"unicode"
)

// Page is what people read about a format: the types that its files are made of, and the fields of each.
type Page struct {
	Name     string // short name of the format
	Title    string
	Text     string // paragraphs, separated by empty lines
	Sections []Section
}

// Section describes a type of a format, or several that are alike.
type Section struct {
	Title  string
	Text   string
	Source string // where the published document defines it, in a sentence; empty if nothing is said
	Terms  []Term
}

// Term describes a field of a type, or several that belong together.
type Term struct {
	Title  string
	Text   string
	Source string        // as of a Section; empty: the section's
	Values []NamedNumber // of an enum, or the bits of flags
}

// Meaning is what is known about what a node is, in words.
type Meaning struct {
	Field   string // about the field; empty if nothing is known
	Type    string // about its type
	Source  string // where the published document defines it, in a sentence
	Written string // another way to write the value, such as a UUID as its program prints it

	// Page has this meaning in a section of it, and perhaps in a term of that. It is nil if there is no page.
	Page    *Page
	Section *Section
	Term    *Term
}

// Text returns what is known in one text; empty if nothing is.
func (m Meaning) Text() string {
	if m.Field == "" || m.Type == "" {
		return m.Field + m.Type
	}
	return m.Field + "\n" + m.Type
}

// Sourced returns what is known with where it is defined; empty if nothing is known.
func (m Meaning) Sourced() string {
	text := m.Text()
	if text == "" || m.Source == "" {
		return text
	}
	return text + "\n" + m.Source
}

// Lead returns the first sentence of what is known, and the rest.
func (m Meaning) Lead() (first, rest string) {
	text := m.Text()
	end := strings.IndexByte(text, '\n')
	if end < 0 {
		end = len(text)
	}
	for i := range end - 2 { // a point that does not end a sentence has a small letter or a digit after it
		if strings.HasPrefix(text[i:], ". ") && unicode.IsUpper(rune(text[i+2])) {
			end = i + 1
			break
		}
	}
	return text[:end], strings.TrimSpace(text[end:])
}

// Choices returns the numbers that a node's value can have, of an enum, or the bits that can be set in it, with what
// tells those that it has; nil if it is not a choice.
func (m Meaning) Choices(n *Node) (all []NamedNumber, has func(c NamedNumber) bool) {
	if c, ok := n.Symbols.(Choices); ok {
		return c.All(), func(choice NamedNumber) bool { return c.Has(n.Value, choice.Number) }
	}
	if m.Term == nil {
		return nil, nil
	}
	symbol := n.Symbol()
	return m.Term.Values, func(c NamedNumber) bool { return c.Name == symbol }
}
