package find

import (
	"strings"
	"unicode/utf8"

	"assay/model"
)

// Query is what nodes are searched for: a text in their name, type, value or key, whatever its case. Several words
// must all be there, each in any of these.
type Query struct {
	words []string
}

// NewQuery makes a query of words; an empty one matches nothing.
func NewQuery(text string) Query {
	return Query{strings.Fields(strings.ToLower(text))}
}

// Words returns what it looks for, in lower case.
func (q Query) Words() []string { return q.words }

// Empty reports whether there is nothing to search for.
func (q Query) Empty() bool { return len(q.words) == 0 }

// Match reports whether the query's words are in the node.
func (q Query) Match(n *model.Node) bool {
	if len(q.words) == 0 {
		return false
	}
	value, known := "", false
	for _, w := range q.words {
		if contains(n.Name, w) || contains(n.Type, w) || contains(n.Key, w) || contains(n.Symbol(), w) {
			continue
		}
		if !known {
			value, known = valueText(n), true
			if label := n.Label(); label != "" {
				value += "\n" + label
			}
		}
		if !contains(value, w) {
			return false
		}
	}
	return true
}

// searchedText is how much of a long text is searched.
const searchedText = 64 << 10

// valueText is the value as it is shown. A long text is searched beyond what a line shows of it.
func valueText(n *model.Node) string {
	switch v := n.Value.(type) {
	case string:
		return v[:min(len(v), searchedText)]
	case model.Blob:
		return "" // its size is no content
	}
	return model.FormatValue(n.Value)
}

// contains reports whether lower is in s, whatever the case of s.
func contains(s, lower string) bool {
	if len(s) < len(lower) {
		return false
	}
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return strings.Contains(strings.ToLower(s), lower)
		}
	}
	first := lower[0]
	for i := 0; i+len(lower) <= len(s); i++ {
		if fold(s[i]) != first {
			continue
		}
		j := 1
		for j < len(lower) && fold(s[i+j]) == lower[j] {
			j++
		}
		if j == len(lower) {
			return true
		}
	}
	return false
}

func fold(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c | 0x20
	}
	return c
}
