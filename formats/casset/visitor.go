package casset

import (
	"assay/formats/decode"
	"assay/model"
)

// visitor is told of the numbers and the blobs of an object, and of the names of the fields and the elements that each
// is in, which are good until the call returns. A nil visitor does nothing.
type visitor struct {
	names  []string
	number func(names []string, form model.Number, bits uint64) // may be nil
	blob   func(names []string, b model.Blob)
}

// visit reads the i-th object quietly and tells the visitor of its fields.
func (f *file) visit(q *decode.Cursor, i int, v *visitor) {
	q.Reset(f.objects.span(i))
	f.object(q, &reader{file: f, visitor: v})
}

func (v *visitor) push(name string) {
	if v != nil {
		v.names = append(v.names, name)
	}
}

func (v *visitor) rename(name string) {
	if v != nil {
		v.names[len(v.names)-1] = name
	}
}

func (v *visitor) pop() {
	if v != nil {
		v.names = v.names[:len(v.names)-1]
	}
}

func (v *visitor) takeNumber(form model.Number, bits uint64) {
	if v != nil && v.number != nil {
		v.number(v.names, form, bits)
	}
}

func (v *visitor) takeBlob(b model.Blob) {
	if v != nil {
		v.blob(v.names, b)
	}
}
