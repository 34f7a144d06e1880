package casset

import (
	"assay/formats/decode"
	"assay/model"
)

// typeBytes are types by their bytes. An array without an element type is one whose element type follows in the schema.
type typeBytes [256]Type

// withPlain adds the types that all tables have, that of 2.0 too: u8 is 1, and string is 0x0C.
func withPlain(types typeBytes) *typeBytes {
	for k := kU8; k <= kString; k++ {
		types[k-kU8+1] = Type{kind: k}
	}
	return &types
}

var _ model.Choices = (*typeBytes)(nil)

// name has the type byte that was just read called by its type.
func (t *typeBytes) name(c *decode.Cursor) {
	if n := c.Last(); n != nil {
		n.Symbols = t
	}
}

// Of returns the name of the type of a byte; empty if it is none.
func (t *typeBytes) Of(value any) string {
	b, ok := value.(uint64)
	if !ok || b >= uint64(len(t)) {
		return ""
	}
	switch typ := t[b]; {
	case typ.kind == kArray && typ.elem != nil:
		return typ.elem.String() + " array"
	case typ.kind != kUnknown:
		return typ.String()
	}
	return ""
}

// All returns the bytes with their types.
func (t *typeBytes) All() (all []model.NamedNumber) {
	for b := range t {
		if name := t.Of(uint64(b)); name != "" {
			all = append(all, model.NamedNumber{Number: int64(b), Name: name})
		}
	}
	return all
}

// Has reports whether a value is that byte.
func (t *typeBytes) Has(value any, b int64) bool { return value == uint64(b) }
