package compare

import (
	"bytes"
	"math"

	"assay/model"
)

// leavesDiffer compares two leaves that belong together.
func (e *engine) leavesDiffer(l, r *model.Node) bool {
	if (l.Role.Layout() || r.Role.Layout()) && !e.strict || e.renamedValue(l, r) {
		return false
	}
	if e.sameVariant && l.Type == r.Type && l.Size == r.Size {
		if e.sameBytes(l.Span, r.Span) {
			return !sameContext(l.Value, r.Value)
		}
		return !e.tolerates(l.Value, r.Value)
	}
	if !e.sameValues(l, r) {
		return !e.tolerates(l.Value, r.Value)
	}
	return e.sameVariant && l.Type != r.Type
}

// sameContext looks at leaves of equal bytes: what they say may hang on something else in the file.
func sameContext(l, r any) bool {
	same, known := sameScalars(l, r)
	return same || !known
}

// sameValues compares what two leaves mean, whatever the width they are stored in.
func (e *engine) sameValues(l, r *model.Node) bool {
	if l.Value == nil && r.Value == nil {
		return e.sameBytes(l.Span, r.Span)
	}
	if l.Raw() != nil || r.Raw() != nil {
		return bytes.Equal(l.Raw(), r.Raw())
	}
	return e.equal(l.Value, r.Value)
}

func (e *engine) equal(l, r any) bool {
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
		return ok && (e.sameNumbers(l, r) || e.arraysDiffer(l, r) < 0 && l.Len() == r.Len())
	}
	return false
}

// sameNumbers compares two rows of numbers of one binary form by their bytes.
func (e *engine) sameNumbers(l, r model.Array) bool {
	a, ok := l.(model.Numbers)
	b, also := r.(model.Numbers)
	if !ok || !also || a.Form != b.Form || a.Order != b.Order || a.Count != b.Count {
		return false
	}
	x, y := numberSpan(a), numberSpan(b)
	if a.Source == e.docs[0].Source && b.Source == e.docs[1].Source {
		return e.sameBytes(x, y)
	}
	return e.sameStreams(a.Source, x, b.Source, y)
}

func numberSpan(n model.Numbers) model.Span {
	return model.Span{Offset: n.Offset, Size: n.Count * n.Form.Size()}
}

const arrayPart = 4096

// arraysDiffer returns the index of the first number that differs in the length that both have, -1 if there is none.
func (e *engine) arraysDiffer(l, r model.Array) int64 {
	for at, n := int64(0), min(l.Len(), r.Len()); at < n && !e.fail(e.ctx.Err()); at += arrayPart {
		a, errA := l.Slice(at, arrayPart)
		b, errB := r.Slice(at, arrayPart)
		if e.fail(errA) || e.fail(errB) {
			return 0
		}
		for i := range min(len(a), len(b)) {
			if !e.equal(a[i], b[i]) && !e.tolerates(a[i], b[i]) {
				return at + int64(i)
			}
		}
	}
	return -1
}

// sameScalars compares two scalars; known is false if they are not both scalars of a kind.
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

// AsFloat returns a number as a float64; 0 for what is not a number.
func AsFloat(number any) float64 {
	f, _ := model.Float(number)
	return f
}

// tolerates reports whether two values are floats as near to one another as the options allow. An ignored
// difference is counted, so that the files are not taken for equal.
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
	at := e.arraysDiffer(a, b)
	return e.ended() == nil && at < 0
}

func areNear(l, r any, t float64) bool {
	if !IsFloat(l) || !IsFloat(r) {
		return false
	}
	a, b := AsFloat(l), AsFloat(r)
	return sameFloats(a, b) || math.Abs(a-b) <= t*max(1, math.Abs(a), math.Abs(b))
}

// renamedValue reports whether the leaf says the name of a node before and after it was renamed.
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

// keyText is a leaf's value as it would be written in a key.
func keyText(n *model.Node) string {
	switch v := n.Value.(type) {
	case string:
		return v
	case uint64, int64:
		return model.FormatValue(v)
	}
	return ""
}

// FirstNumber returns the index of the first number that differs of two arrays.
func (p *Pair) FirstNumber() int64 {
	l, ok := p.Old.Value.(model.Array)
	r, also := p.New.Value.(model.Array)
	if !ok || !also {
		return 0
	}
	p.c.mu.Lock()
	defer p.c.mu.Unlock()
	at := p.c.engine.arraysDiffer(l, r)
	if p.c.engine.ended() != nil || at < 0 {
		return max(0, min(l.Len(), r.Len())-1)
	}
	return at
}
