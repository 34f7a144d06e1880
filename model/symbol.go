package model

// Symbols name the values of nodes: the numbers of an enum, flags, times. They are asked when a node is shown, and an
// empty text says that the value has no name.
type Symbols interface {
	Of(value any) string
}

// Symbol is a name that does not go by the value.
type Symbol string

// Of returns the name.
func (s Symbol) Of(any) string { return string(s) }

// Names are the names of an enum's numbers.
type Names map[uint64]string

// Of returns the name of a number.
func (n Names) Of(value any) string {
	switch v := value.(type) {
	case uint64:
		return n[v]
	case int64:
		return n[uint64(v)]
	}
	return ""
}

// SymbolFunc is a function that names values.
type SymbolFunc func(value any) string

// Of returns what the function says of the value.
func (f SymbolFunc) Of(value any) string { return f(value) }

// Symbol is the name of the node's value; empty if it has none.
func (n *Node) Symbol() string {
	if n.Symbols == nil {
		return ""
	}
	return n.Symbols.Of(n.Value)
}
