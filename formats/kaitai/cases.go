package kaitai

import (
	"sync"

	"assay/formats/kaitai/expression"
)

// cases are expressions that are compared with a value: the cases of a switch, or the allowed values.
type cases struct {
	once   sync.Once
	kind   expression.Kind          // of the values in firsts
	firsts map[expression.Value]int // their indexes by value; nil if they are not all constants of one kind
	rest   int                      // the index of the nil expression, or -1
}

// find returns the index of the first of n expressions that is equal to a value, else of the nil expression, or -1.
// Values that cannot be compared are an error if isStrict, else they are not equal.
func (c *cases) find(s *scope, v expression.Value, n int, caseOf func(i int) *expression.Expression,
	isStrict bool) (int, error) {
	if err := s.Spend(1+expression.StepsToCompare(v, expression.Value{}), 0); err != nil {
		return -1, err
	}
	c.once.Do(func() { c.index(s, n, caseOf) })
	if v.Kind == c.kind && c.firsts != nil {
		if i, ok := c.firsts[caseKey(v)]; ok {
			return i, nil
		}
		return c.rest, nil
	}
	for i := range n {
		e := caseOf(i)
		if e == nil {
			continue
		}
		value, err := e.Eval(s)
		if err == nil {
			err = s.Spend(1+expression.StepsToCompare(v, value), 0)
		}
		if err != nil {
			return -1, err
		}
		if equal, err := expression.Equal(v, value); equal || err != nil && isStrict {
			return i, err
		}
	}
	return c.rest, nil
}

// index finds the values of the expressions if all are constants, numbers or texts, so that they need not be compared
// one by one.
func (c *cases) index(s *scope, n int, caseOf func(i int) *expression.Expression) {
	c.rest = -1
	for i := range n {
		if caseOf(i) == nil {
			c.rest = i
		}
	}
	firsts := make(map[expression.Value]int, n)
	for i := range n {
		e := caseOf(i)
		if e == nil {
			continue
		}
		if len(e.Names())+len(e.Fields()) > 0 {
			return
		}
		v, err := e.Eval(s)
		if err != nil || v.Kind != expression.Int && v.Kind != expression.Text ||
			c.kind != expression.None && v.Kind != c.kind {
			return
		}
		c.kind = v.Kind
		if _, isDuplicate := firsts[caseKey(v)]; !isDuplicate {
			firsts[caseKey(v)] = i
		}
	}
	c.firsts = firsts
}

// caseKey returns a whole number or a text so that equal ones are equal with ==.
func caseKey(v expression.Value) expression.Value {
	if v.Kind == expression.Text {
		return expression.TextValue(v.Text())
	}
	return v.WithoutEnum()
}
