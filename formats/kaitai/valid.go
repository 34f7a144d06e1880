package kaitai

import (
	"fmt"

	"assay/formats/kaitai/expression"
	"assay/model"
)

// checked reports what is wrong with a value that was just read, on the node that it is.
func (r *reading) checked(f field, v expression.Value, n *model.Node) expression.Value {
	if f.a.Valid != nil && r.c.Err() == nil {
		if err := f.a.validate(r.scope(f), v); err != nil {
			r.c.Remark(model.Error, n, "%v", err)
		}
	}
	return v
}

// validate says what is wrong with a value of the attribute; nil if it is what it must be.
func (a *Attribute) validate(s *scope, v expression.Value) error {
	want := a.Valid
	if want == nil {
		return nil
	}
	s.this = &v
	defer func() { s.this = nil }()
	for _, limit := range []limit{{want.Eq, "", 0}, {want.Min, "at least ", 1}, {want.Max, "at most ", -1}} {
		if err := limit.check(a, s, v); err != nil {
			return err
		}
	}
	if err := a.checkAnyOf(s, v); err != nil {
		return err
	}
	if want.InEnum && v.Enum != nil {
		if _, ok := v.Enum.Symbol(v); !ok {
			return fmt.Errorf("%s is %s, which the enumeration does not have", a.ID, brief(v))
		}
	}
	if want.Expr == nil {
		return nil
	}
	is, err := a.evalValid(s, want.Expr)
	if err != nil {
		return err
	}
	if ok, err := is.Truth(); err != nil || !ok {
		return fmt.Errorf("%s is %s, but %s is expected", a.ID, brief(v), want.Expr)
	}
	return nil
}

// evalValid evaluates an expression of valid.
func (a *Attribute) evalValid(s *scope, e *expression.Expression) (expression.Value, error) {
	v, err := e.Eval(s)
	if err != nil {
		return v, fmt.Errorf("%s: %w", a.about("valid"), err)
	}
	return v, nil
}

// limit is a value that one must be (side 0), or that it must not be below (1) or above (-1).
type limit struct {
	value *expression.Expression // nil: there is no limit
	words string
	side  int
}

// check says that a value is beyond the limit.
func (l limit) check(a *Attribute, s *scope, v expression.Value) error {
	if l.value == nil {
		return nil
	}
	want, err := a.evalValid(s, l.value)
	if err != nil {
		return err
	}
	ok := false
	if l.side == 0 {
		ok, err = expression.Equal(v, want)
	} else if order, failed := expression.Compare(v, want); failed == nil {
		ok = order != -l.side
	}
	if err != nil || !ok {
		return fmt.Errorf("%s is %s, but %s%s is expected", a.ID, brief(v), l.words, brief(want))
	}
	return nil
}

// checkAnyOf says that a value is none of those of valid: any-of.
func (a *Attribute) checkAnyOf(s *scope, v expression.Value) error {
	for _, e := range a.Valid.AnyOf {
		allowed, err := a.evalValid(s, e)
		if err != nil {
			return err
		}
		if same, err := expression.Equal(v, allowed); err == nil && same {
			return nil
		}
	}
	if a.Valid.AnyOf == nil {
		return nil
	}
	return fmt.Errorf("%s is %s, which is not one of the %d values that are allowed", a.ID, brief(v), len(a.Valid.AnyOf))
}

// brief returns a value for a sentence.
func brief(v expression.Value) string {
	if v.Kind == expression.Text {
		return fmt.Sprintf("%q", short(v.Text()))
	}
	return short(v.String())
}
