package kaitai

import (
	"fmt"

	"assay/formats/kaitai/expression"
)

// checked reports what is wrong with a value that was just read, on its node.
func (r *reading) checked(o *object, a *Attribute, v expression.Value, index int) expression.Value {
	if a.Valid != nil && r.c.Err() == nil {
		if err := r.valid(r.scope(o, index), a, v); err != nil {
			r.c.Wrong("%v", err)
		}
	}
	return v
}

// valid says what is wrong with a value; nil if it is what it must be.
func (m *machine) valid(s *scope, a *Attribute, v expression.Value) error {
	if a.Valid == nil {
		return nil
	}
	s.this = &v
	defer func() { s.this = nil }()
	want := a.Valid
	check := func(e *expression.Expression, what string, holds func(order int) bool) error {
		if e == nil {
			return nil
		}
		limit, err := e.Eval(s)
		if err != nil {
			return fmt.Errorf("%s: %w", a.about("valid"), err)
		}
		if what == "equal" {
			if same, err := expression.Equal(v, limit); err != nil || !same {
				return fmt.Errorf("%s is %s, but %s is expected", a.ID, brief(v), brief(limit))
			}
			return nil
		}
		if order, err := expression.Compare(v, limit); err != nil || !holds(order) {
			return fmt.Errorf("%s is %s, but %s %s is expected", a.ID, brief(v), what, brief(limit))
		}
		return nil
	}
	if err := check(want.Eq, "equal", nil); err != nil {
		return err
	}
	if err := check(want.Min, "at least", func(order int) bool { return order >= 0 }); err != nil {
		return err
	}
	if err := check(want.Max, "at most", func(order int) bool { return order <= 0 }); err != nil {
		return err
	}
	if want.AnyOf != nil {
		if err := m.anyOf(s, a, v); err != nil {
			return err
		}
	}
	if want.InEnum && v.Enum != nil {
		n, _ := v.Whole()
		if _, ok := v.Enum.Symbol(n); !ok {
			return fmt.Errorf("%s is %s, which the enumeration does not have", a.ID, brief(v))
		}
	}
	if want.Expr != nil {
		is, err := want.Expr.Eval(s)
		if err != nil {
			return fmt.Errorf("%s: %w", a.about("valid"), err)
		}
		if ok, err := is.Truth(); err != nil || !ok {
			return fmt.Errorf("%s is %s, but %s is expected", a.ID, brief(v), want.Expr)
		}
	}
	return nil
}

// anyOf says that a value is none of those that are allowed.
func (m *machine) anyOf(s *scope, a *Attribute, v expression.Value) error {
	for _, e := range a.Valid.AnyOf {
		allowed, err := e.Eval(s)
		if err != nil {
			return fmt.Errorf("%s: %w", a.about("valid"), err)
		}
		if same, err := expression.Equal(v, allowed); err == nil && same {
			return nil
		}
	}
	return fmt.Errorf("%s is %s, which is not one of the %d values that are allowed", a.ID, brief(v), len(a.Valid.AnyOf))
}

// brief writes a value in a sentence.
func brief(v expression.Value) string {
	if v.Kind == expression.Text {
		return fmt.Sprintf("%q", short(v.Text()))
	}
	return short(v.String())
}
