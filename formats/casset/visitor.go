package casset

import "assay/formats/decode"

// visitor calls take with the numbers and the blobs of an object, and with the names of the fields and the elements
// that each is in, which are good until it returns. A nil visitor does nothing.
type visitor struct {
	names []string
	take  func(names []string, value any)
}

// visit reads the i-th object quietly and calls take with the numbers and the blobs in its fields.
func (f *file) visit(q *decode.Cursor, i int, take func(names []string, value any)) {
	q.Reset(f.objects.span(i))
	f.object(q, &reader{file: f, visit: &visitor{take: take}})
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
