package kaitai

import (
	"cmp"
	"fmt"
	"sync"

	"assay/formats/kaitai/expression"
	"assay/model"
)

// checkValue reports an invalid value on its node, and returns the value.
func (d *decoder) checkValue(f field, v expression.Value, n *model.Node) expression.Value {
	if f.a.Valid != nil && d.c.Err() == nil {
		if err := f.a.validate(d.scope(f), v); err != nil && d.spend(f, stepsOfProblem) {
			d.c.Remark(model.Error, n, "%v", err)
		}
	}
	return v
}

// validate returns an error if a value of the attribute violates its constraint.
func (a *attribute) validate(s *scope, v expression.Value) error {
	valid := a.Valid
	if valid == nil {
		return nil
	}
	s.this = &v
	defer func() { s.this = nil }()
	for _, limit := range []struct {
		value *expression.Expression // nil for no limit
		words string
		holds func(limit expression.Value) (bool, error)
	}{
		{valid.Eq, "", func(limit expression.Value) (bool, error) { return expression.Equal(v, limit) }},
		{valid.Min, "at least ", func(limit expression.Value) (bool, error) { return expression.AtMost(limit, v) }},
		{valid.Max, "at most ", func(limit expression.Value) (bool, error) { return expression.AtMost(v, limit) }},
	} {
		if limit.value == nil {
			continue
		}
		bound, err := s.evalValid(limit.value)
		if err == nil {
			err = s.Spend(expression.StepsToCompare(v, bound), 0)
		}
		if err != nil {
			return err
		}
		// Values that cannot be compared are invalid.
		if valid, err := limit.holds(bound); !valid || err != nil {
			return fmt.Errorf("%s is %s, but %s%s is expected", a.ID, brief(v), limit.words, brief(bound))
		}
	}
	return cmp.Or(a.checkAnyOf(s, v), a.checkEnum(v), a.checkExpr(s, v))
}

// evalValid evaluates an expression of a constraint.
func (s *scope) evalValid(e *expression.Expression) (expression.Value, error) {
	v, err := e.Eval(s)
	if err != nil {
		err = fmt.Errorf("%s: %w", s.a.keyName("valid"), err)
	}
	return v, err
}

func (a *attribute) checkAnyOf(s *scope, v expression.Value) error {
	expressions := a.Valid.AnyOf
	if expressions == nil {
		return nil
	}
	caseOf := func(i int) *expression.Expression { return expressions[i] }
	i, err := a.Valid.anyOf.find(s, v, len(expressions), caseOf, false)
	if err != nil {
		return fmt.Errorf("%s: %w", a.keyName("valid"), err)
	}
	if i >= 0 {
		return nil
	}
	return fmt.Errorf("%s is %s, which is not one of the %d allowed values", a.ID, brief(v), len(a.Valid.AnyOf))
}

func (a *attribute) checkEnum(v expression.Value) error {
	if a.Valid.InEnum && v.Enum != nil {
		if _, ok := v.Enum.Symbol(v); !ok {
			return fmt.Errorf("%s is %s, which is not in the enumeration", a.ID, brief(v))
		}
	}
	return nil
}

func (a *attribute) checkExpr(s *scope, v expression.Value) error {
	if a.Valid.Expr == nil {
		return nil
	}
	valid, err := s.evalValid(a.Valid.Expr)
	if err != nil {
		return err
	}
	if ok, err := valid.Truth(); err != nil || !ok {
		text := firstCharacters(a.Valid.Expr.String(), maxStated)
		return fmt.Errorf("%s is %s, but %s is expected", a.ID, brief(v), joinLines(text))
	}
	return nil
}

// maxStated is the maximum number of characters of an expression in a problem.
const maxStated = 100

func brief(v expression.Value) string {
	switch v.Kind {
	case expression.Text:
		return fmt.Sprintf("%q", short(v.Text()))
	case expression.Bytes:
		b := v.Bytes()
		v = expression.BytesValue(b[:min(len(b), maxShort)])
	}
	return short(v.String())
}

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
