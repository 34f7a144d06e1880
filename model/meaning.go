package model

import (
	"cmp"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"unicode"
)

// Symbols name the values of nodes: the numbers of an enum, flags, times. They are called when a node is displayed; an
// empty text means that the value has no name.
type Symbols interface {
	NameOf(value any) string
}

// NamedNumber is a number with its name.
type NamedNumber struct {
	Number int64
	Name   string
}

// Choices are Symbols that can be listed: the numbers of an enum, the bits of flags.
type Choices interface {
	Symbols
	// All returns the numbers with their names, the smallest first.
	All() []NamedNumber
	// Has reports whether a value is that number, or has that bit.
	Has(value any, number int64) bool
}

// Symbol is one name for every value.
type Symbol string

// NameOf returns the name.
func (s Symbol) NameOf(any) string { return string(s) }

// Names are the names of an enum's numbers.
type Names map[uint64]string

var _ Choices = Names(nil)

// NameOf returns the name of a number.
func (n Names) NameOf(value any) string {
	if v, ok := integerBits(value); ok {
		return n[v]
	}
	return ""
}

// All returns the numbers with their names.
func (n Names) All() []NamedNumber {
	var numbers []NamedNumber
	for _, v := range slices.Sorted(maps.Keys(n)) {
		numbers = append(numbers, NamedNumber{int64(v), n[v]})
	}
	return numbers
}

// Has reports whether a value is that number.
func (n Names) Has(value any, number int64) bool {
	v, ok := integerBits(value)
	return ok && v == uint64(number)
}

// integerBits returns an integer as its bits.
func integerBits(value any) (uint64, bool) {
	switch v := value.(type) {
	case uint64:
		return v, true
	case int64:
		return uint64(v), true
	}
	return 0, false
}

// Flags are the names of the bits of a number, from the lowest.
type Flags []string

var _ Choices = Flags(nil)

// NameOf returns the names of the set bits, and the bits without a name as a number.
func (f Flags) NameOf(value any) string {
	v, ok := integerBits(value)
	if !ok {
		return ""
	}
	var set []string
	for bit, name := range f {
		if v&(1<<bit) != 0 {
			set = append(set, name)
		}
		v &^= 1 << bit
	}
	if v != 0 {
		set = append(set, fmt.Sprintf("%#x", v))
	}
	return strings.Join(set, " | ")
}

// All returns the bits with their names.
func (f Flags) All() []NamedNumber {
	var numbers []NamedNumber
	for bit, name := range f {
		numbers = append(numbers, NamedNumber{1 << bit, name})
	}
	return numbers
}

// Has reports whether a value has that bit.
func (f Flags) Has(value any, bit int64) bool {
	v, ok := integerBits(value)
	return ok && v&uint64(bit) != 0
}

// SymbolFunc is a function that names values.
type SymbolFunc func(value any) string

// NameOf returns the result of the function for the value.
func (f SymbolFunc) NameOf(value any) string { return f(value) }

// Symbol returns the name of the node's value, or "".
func (n *Node) Symbol() string {
	if n.Symbols == nil {
		return ""
	}
	return n.Symbols.NameOf(n.Value)
}

// Page is the help page of a format: the types in its files, and the fields of each.
type Page struct {
	Name     string // short name of the format
	Title    string
	Text     string // paragraphs, separated by empty lines
	Sections []Section
}

// Section describes a type of a format, or several similar ones.
type Section struct {
	Title  string
	Text   string
	Source string // a sentence with its section of the specification; may be empty
	Terms  []Term
}

// Term describes a field of a type, or several related ones.
type Term struct {
	Title  string
	Text   string
	Source string        // as of a Section; empty: the section's
	Values []NamedNumber // of an enum, or the bits of flags
}

// Meaning is the description of a node, as text.
type Meaning struct {
	Field   string // about the field; may be empty
	Type    string // about its type
	Source  string // where the published document defines it, in a sentence
	Written string // another way to write the value, such as a UUID as its program prints it
	// References are the documents that the description names as its sources.
	References []Reference

	// Page is the page with this meaning, or nil; Section and Term locate it there. Term may be nil.
	Page    *Page
	Section *Section
	Term    *Term
}

// Reference is a document outside the file.
type Reference struct {
	Title string // "EBU Tech 3306", or the address without its scheme if the document has no name
	URL   string // of http or https, or empty
}

// ParseReference reads an address, a title, or an address and a title after it.
func ParseReference(text string) Reference {
	text = strings.Join(strings.Fields(text), " ")
	address, title, _ := strings.Cut(text, " ")
	to, err := url.Parse(address)
	if err != nil || to.Host == "" || to.Scheme != "https" && to.Scheme != "http" {
		return Reference{Title: text}
	}
	if title == "" {
		title = strings.TrimSuffix(strings.TrimPrefix(to.Host, "www.")+to.Path, "/")
	}
	return Reference{title, to.String()}
}

// String returns the title and the address in one line.
func (r Reference) String() string {
	if r.URL == "" || strings.HasSuffix(r.URL, r.Title) {
		return cmp.Or(r.URL, r.Title)
	}
	return r.Title + ", " + r.URL
}

// Text returns the description of the field and its type, or "".
func (m Meaning) Text() string {
	if m.Field == "" || m.Type == "" {
		return m.Field + m.Type
	}
	return m.Field + "\n" + m.Type
}

// TextWithSource returns Text, the section of the specification, and the titles of References, each on a line of its
// own. Without Text the section is left out.
func (m Meaning) TextWithSource() string {
	text := m.Text()
	if text != "" && m.Source != "" {
		text += "\n" + m.Source
	}
	for _, r := range m.References {
		text += "\nSource: " + r.Title
	}
	return strings.TrimPrefix(text, "\n")
}

// FirstSentence returns the first sentence of the description, and the rest.
func (m Meaning) FirstSentence() (first, rest string) {
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

// Choices returns the possible numbers of a node's value, an enum, or the bits that can be set in it, with a func that
// reports whether the value has one; nil if the value is not a choice.
func (m Meaning) Choices(n *Node) (numbers []NamedNumber, has func(c NamedNumber) bool) {
	if c, ok := n.Symbols.(Choices); ok {
		return c.All(), func(choice NamedNumber) bool { return c.Has(n.Value, choice.Number) }
	}
	if m.Term == nil {
		return nil, nil
	}
	symbol := n.Symbol()
	return m.Term.Values, func(c NamedNumber) bool { return c.Name == symbol }
}

// Description is the text of the format description that a document was read with.
type Description struct {
	// Files are the text's own file and its includes: a path on disk, or only a name if the program carries the text.
	// When one on disk changes, the document may be read again.
	Files []string
	// Text returns the text of one of Files, as the document was read with.
	Text func(file string) string
	// Rule returns the location of the rule that read a node: one of Files, and a line from 1; false if there is no
	// such rule.
	Rule func(n *Node) (file string, line int, ok bool)
}

// MaxDescription is the maximum size of a file with a description, in bytes: the largest published one has 200 KB.
const MaxDescription = 4 << 20

// LocationError is an error in a text that users write, such as a Description.
type LocationError interface {
	error
	// Location returns the location of the error: a file, and a line from 1, or 0 for the file as a whole.
	Location() (file string, line int)
}
