package compare

import (
	"bytes"
	"cmp"
	"context"
	"math"
	"slices"

	"assay/model"
)

// leavesDiffer compares two matching leaves.
func (e *engine) leavesDiffer(l, r *model.Node) bool {
	if (l.Role.IsLayout() || r.Role.IsLayout()) && !e.strict || e.renamedValue(l, r) {
		return false
	}
	if e.opts.Texts.Any() && l.Role == model.RoleSpacing && r.Role == model.RoleSpacing {
		a, _ := l.Value.(string)
		b, _ := r.Value.(string)
		if a != b && e.opts.Texts.countedSpacing(a) == e.opts.Texts.countedSpacing(b) {
			e.ignored++
			return false
		}
	}
	// The bytes of a bit field have bits of other fields.
	if e.sameVariant && l.Type == r.Type && l.Size == r.Size && l.Bits == (model.Bits{}) && r.Bits == l.Bits {
		if e.sameBytes(l.Span, r.Span) {
			same, known := sameScalars(l.Value, r.Value) // they may depend on other data of the file
			return known && !same
		}
		return !e.tolerates(l.Value, r.Value)
	}
	if !e.sameValues(l, r) {
		return !e.tolerates(l.Value, r.Value)
	}
	return e.sameVariant && l.Type != r.Type
}

// sameValues compares the values of two leaves, regardless of their width in the file.
func (e *engine) sameValues(l, r *model.Node) bool {
	if l.Value == nil && r.Value == nil {
		return e.sameBytes(l.Span, r.Span)
	}
	if l.Raw() != nil || r.Raw() != nil {
		return bytes.Equal(l.Raw(), r.Raw())
	}
	return e.equalValues(l.Value, r.Value)
}

func (e *engine) equalValues(l, r any) bool {
	if same, known := sameScalars(l, r); known {
		return same
	}
	switch l := l.(type) {
	case nil:
		return r == nil
	case model.None:
		return r == l
	case model.Blob:
		r, ok := r.(model.Blob)
		return ok && e.sameStreams(l.Source, l.Span, r.Source, r.Span)
	case model.Array:
		r, ok := r.(model.Array)
		return ok && (e.sameNumbers(l, r) || e.firstDifferent(l, r) < 0 && l.Len() == r.Len())
	}
	return false
}

// sameNumbers compares two rows of numbers of one binary form by their bytes.
func (e *engine) sameNumbers(l, r model.Array) bool {
	a, b, ok := inOneForm(l, r)
	if !ok || a.Count != b.Count {
		return false
	}
	x, y := numberSpan(a), numberSpan(b)
	if a.Source == e.docs[0].Source && b.Source == e.docs[1].Source {
		return e.sameBytes(x, y)
	}
	return e.sameStreams(a.Source, x, b.Source, y)
}

// inOneForm returns two arrays as numbers; false if they are not numbers of one binary form.
func inOneForm(l, r model.Array) (a, b model.Numbers, ok bool) {
	a, okA := l.(model.Numbers)
	b, okB := r.(model.Numbers)
	return a, b, okA && okB && a.Form == b.Form && a.Order == b.Order
}

func numberSpan(n model.Numbers) model.Span {
	return model.Span{Offset: n.Offset, Size: n.Count * n.Form.Size()}
}

const arrayChunk = 4096

// firstDifferent returns the index of the first different number within the common length, or -1.
func (e *engine) firstDifferent(l, r model.Array) int64 {
	for index, n := int64(0), min(l.Len(), r.Len()); index < n && !e.fail(e.ctx.Err()); index += arrayChunk {
		a, errA := l.Slice(index, arrayChunk)
		b, errB := r.Slice(index, arrayChunk)
		if e.fail(errA) || e.fail(errB) {
			return 0
		}
		for i := range min(len(a), len(b)) {
			if !e.equalValues(a[i], b[i]) && !e.tolerates(a[i], b[i]) {
				return index + int64(i)
			}
		}
	}
	return -1
}

// sameScalars compares two scalars; known is false if they are not both scalars of one kind.
func sameScalars(l, r any) (same, known bool) {
	switch l := l.(type) {
	case bool:
		r, ok := r.(bool)
		return l == r, ok
	case string:
		r, ok := r.(string)
		return l == r, ok
	case uint64:
		switch r := r.(type) {
		case uint64:
			return l == r, true
		case int64:
			return r >= 0 && l == uint64(r), true
		}
	case int64:
		switch r := r.(type) {
		case int64:
			return l == r, true
		case uint64:
			return l >= 0 && uint64(l) == r, true
		}
	case float32:
		switch r := r.(type) {
		case float32:
			return math.Float32bits(l) == math.Float32bits(r), true
		case float64:
			return sameFloats(float64(l), float64(float32(r))), true
		}
	case float64:
		switch r := r.(type) {
		case float64:
			return math.Float64bits(l) == math.Float64bits(r), true
		case float32:
			return sameFloats(float64(float32(l)), float64(r)), true
		}
	}
	if (IsFloat(l) && IsInt(r)) || (IsInt(l) && IsFloat(r)) {
		return AsFloat(l) == AsFloat(r), true
	}
	return false, false
}

func sameFloats(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) }

// IsFloat reports whether a value is a float32 or a float64.
func IsFloat(v any) bool {
	switch v.(type) {
	case float32, float64:
		return true
	}
	return false
}

// IsInt reports whether a value is an int64 or a uint64.
func IsInt(v any) bool {
	switch v.(type) {
	case int64, uint64:
		return true
	}
	return false
}

// AsFloat returns a number as a float64, or 0 for any other value.
func AsFloat(number any) float64 {
	f, _ := model.Float(number)
	return f
}

// tolerates reports whether two values are floats as near to one another as the options allow. An ignored
// difference is counted, so that the files do not count as identical.
func (e *engine) tolerates(l, r any) bool {
	t := e.opts.Tolerance
	if t <= 0 || e.err != nil {
		return false
	}
	if areNear(l, r, t) {
		e.ignored++
		return true
	}
	a, ok := l.(model.Array)
	b, also := r.(model.Array)
	if !ok || !also || a.Len() != b.Len() {
		return false
	}
	index := e.firstDifferent(a, b)
	return e.takeError() == nil && index < 0
}

func areNear(l, r any, t float64) bool {
	if !IsFloat(l) || !IsFloat(r) {
		return false
	}
	a, b := AsFloat(l), AsFloat(r)
	return sameFloats(a, b) || math.Abs(a-b) <= t*max(1, math.Abs(a), math.Abs(b))
}

// renamedValue reports whether the leaf has the name of a node before and after it was renamed.
func (e *engine) renamedValue(l, r *model.Node) bool {
	if _, content := l.Value.(model.Blob); content || len(e.renames) == 0 {
		return false
	}
	if l.Link != nil && r.Link != nil && l.Link.Key != "" {
		return e.renames[l.Link.Key] == r.Link.Key && l.Link.File == r.Link.File
	}
	switch l.Value.(type) {
	case string, uint64, int64:
		to, ok := e.renames[keyText(l)]
		return ok && to == keyText(r)
	}
	return false
}

// keyText returns a leaf's value as it would be written in a key.
func keyText(n *model.Node) string {
	switch v := n.Value.(type) {
	case string:
		return v
	case uint64, int64:
		return model.FormatValue(v)
	}
	return ""
}

// EachDifferentNumber calls do for the values of two arrays that differ by the rules, in order, until it returns false;
// nil for a value that one of them does not have. The error is the context's, or one of reading a file.
func (p *Pair) EachDifferentNumber(ctx context.Context, do func(index int64, old, new any) bool) error {
	l, r, ok := p.Arrays()
	if !ok {
		return nil
	}
	for index := int64(0); index < max(l.Len(), r.Len()); index += arrayChunk {
		if sameBytesAt(l, r, index) {
			continue
		}
		a, errA := l.Slice(index, arrayChunk)
		b, errB := r.Slice(index, arrayChunk)
		if err := cmp.Or(ctx.Err(), errA, errB); err != nil {
			return err
		}
		for i := range max(len(a), len(b)) {
			x, y := valueAt(a, i), valueAt(b, i)
			if !p.c.Options.sameNumber(x, y) && !do(index+int64(i), x, y) {
				return nil
			}
		}
	}
	return nil
}

// Arrays returns the values of a pair of arrays.
func (p *Pair) Arrays() (old, new model.Array, ok bool) {
	if p.Old == nil || p.New == nil {
		return nil, nil, false
	}
	old, isOld := p.Old.Value.(model.Array)
	new, isNew := p.New.Value.(model.Array)
	return old, new, isOld && isNew
}

// sameBytesAt reports whether the next numbers of two arrays have the same bytes, without decoding them.
func sameBytesAt(l, r model.Array, index int64) bool {
	a, b, ok := inOneForm(l, r)
	if !ok || min(a.Count, b.Count) < index+arrayChunk {
		return false
	}
	w := a.Form.Size()
	x, errA := a.Source.Bytes(model.Span{Offset: a.Offset + index*w, Size: arrayChunk * w})
	y, errB := b.Source.Bytes(model.Span{Offset: b.Offset + index*w, Size: arrayChunk * w})
	return errA == nil && errB == nil && bytes.Equal(x, y)
}

func valueAt(v []any, i int) any {
	if i < len(v) {
		return v[i]
	}
	return nil
}

// sameNumber reports whether two values of arrays count as the same.
func (o *Options) sameNumber(l, r any) bool {
	if same, known := sameScalars(l, r); known {
		return same || o.Tolerance > 0 && areNear(l, r, o.Tolerance)
	}
	switch l := l.(type) {
	case nil:
		return r == nil
	case model.None:
		return r == any(l)
	}
	a, isOld := l.(model.Array)
	b, isNew := r.(model.Array)
	if !isOld || !isNew || a.Len() != b.Len() {
		return false
	}
	x, errA := a.Slice(0, a.Len())
	y, errB := b.Slice(0, b.Len())
	return errA == nil && errB == nil && slices.EqualFunc(x, y, o.sameNumber)
}

// FirstDifferentNumber returns the index of the first value that differs of two arrays, or 0 if none differs.
func (p *Pair) FirstDifferentNumber() (first int64) {
	_ = p.EachDifferentNumber(context.Background(), func(index int64, _, _ any) bool { first = index; return false })
	return first
}
