package compare

import (
	"bytes"
	"math"

	"assay/model"
)

// leavesDiffer compares two leaves that belong together.
func (e *engine) leavesDiffer(l, r *model.Node) (bool, error) {
	if (l.Role.Layout() || r.Role.Layout()) && !e.strict {
		return false, nil
	}
	if e.renamedValue(l, r) {
		return false, nil
	}
	alike := e.sameVariant && l.Type == r.Type
	if alike && l.Size == r.Size {
		same, err := e.sameBytes(l.Span, r.Span)
		if err != nil {
			return false, err
		}
		if same {
			return !sameContext(l.Value, r.Value), nil
		}
		return !e.tolerates(l.Value, r.Value), nil
	}
	same, err := e.sameValues(l, r)
	if err != nil || !same {
		return !same && !e.tolerates(l.Value, r.Value), err
	}
	return e.sameVariant && l.Type != r.Type, nil
}

// sameContext looks at leaves of equal bytes: what they say may hang on something else in the file.
func sameContext(l, r any) bool {
	same, known := sameScalars(l, r)
	return same || !known
}

// sameValues compares what two leaves mean, whatever the width they are stored in.
func (e *engine) sameValues(l, r *model.Node) (bool, error) {
	if l.Value == nil && r.Value == nil {
		return e.sameBytes(l.Span, r.Span)
	}
	if l.Raw() != nil || r.Raw() != nil {
		return bytes.Equal(l.Raw(), r.Raw()), nil
	}
	return e.equal(l.Value, r.Value)
}

func (e *engine) equal(l, r any) (bool, error) {
	if same, known := sameScalars(l, r); known {
		return same, nil
	}
	switch l := l.(type) {
	case nil:
		return r == nil, nil
	case model.None:
		_, ok := r.(model.None)
		return ok, nil
	case model.Blob:
		r, ok := r.(model.Blob)
		if !ok {
			return false, nil
		}
		return e.sameStreams(l.Source, l.Span, r.Source, r.Span)
	case model.Array:
		r, ok := r.(model.Array)
		if !ok {
			return false, nil
		}
		if same, err := e.sameNumbers(l, r); same || err != nil {
			return same, err
		}
		at, err := e.arraysDiffer(l, r)
		return at < 0 && l.Len() == r.Len(), err
	}
	return false, nil
}

// sameNumbers compares two rows of numbers of one binary form by their bytes.
func (e *engine) sameNumbers(l, r model.Array) (bool, error) {
	a, ok := l.(model.Numbers)
	if !ok {
		return false, nil
	}
	b, ok := r.(model.Numbers)
	if !ok || a.Form != b.Form || a.Order != b.Order || a.Count != b.Count {
		return false, nil
	}
	x, y := numberSpan(a), numberSpan(b)
	if a.Source == e.left.Source && b.Source == e.right.Source {
		return e.sameBytes(x, y)
	}
	return e.sameStreams(a.Source, x, b.Source, y)
}

func numberSpan(n model.Numbers) model.Span {
	return model.Span{Offset: n.Offset, Size: n.Count * n.Form.Size()}
}

const arrayPart = 4096

// arraysDiffer returns the index of the first number that differs in the length that both have, -1 if there is none.
func (e *engine) arraysDiffer(l, r model.Array) (int64, error) {
	for at, n := int64(0), min(l.Len(), r.Len()); at < n; at += arrayPart {
		if err := e.ctx.Err(); err != nil {
			return 0, err
		}
		a, err := l.Slice(at, arrayPart)
		if err != nil {
			return 0, err
		}
		b, err := r.Slice(at, arrayPart)
		if err != nil {
			return 0, err
		}
		for i := range min(len(a), len(b)) {
			same, err := e.equal(a[i], b[i])
			if err != nil {
				return 0, err
			}
			if !same && !e.tolerates(a[i], b[i]) {
				return at + int64(i), nil
			}
		}
	}
	return -1, nil
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
	if t <= 0 {
		return false
	}
	if areNear(l, r, t) {
		e.ignored++
		return true
	}
	a, ok := l.(model.Array)
	if !ok {
		return false
	}
	b, ok := r.(model.Array)
	if !ok || a.Len() != b.Len() {
		return false
	}
	at, err := e.arraysDiffer(a, b)
	return at < 0 && err == nil
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
	if len(e.renames) == 0 {
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
	if !ok {
		return 0
	}
	r, ok := p.New.Value.(model.Array)
	if !ok {
		return 0
	}
	at, err := p.c.firstInArrays(l, r)
	if err != nil || at < 0 {
		return max(0, min(l.Len(), r.Len())-1)
	}
	return at
}

func (c *Comparison) firstInArrays(l, r model.Array) (int64, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.engine.arraysDiffer(l, r)
}
