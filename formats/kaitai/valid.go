package kaitai

import (
	"fmt"

	"assay/formats/kaitai/expression"
)

// checked reports what is wrong with a value that was just read, on its node.
func (r *reading) checked(o *object, a *Attribute, v expression.Value, index int) expression.Value {
	if a.Valid != nil && r.c.Err() == nil {
		if err := a.validate(r.scope(o, index), v); err != nil {
			r.c.Wrong("%v", err)
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
	if err := a.checkEqual(s, v); err != nil {
		return err
	}
	if err := a.checkLimit(s, v, want.Min, "at least", 1); err != nil {
		return err
	}
	if err := a.checkLimit(s, v, want.Max, "at most", -1); err != nil {
		return err
	}
	if err := a.checkAnyOf(s, v); err != nil {
		return err
	}
	if want.InEnum && v.Enum != nil {
		n, _ := v.Whole()
		if _, ok := v.Enum.Symbol(n); !ok {
			return fmt.Errorf("%s is %s, which the enumeration does not have", a.ID, brief(v))
		}
	}
	return a.checkExpr(s, v)
}

// evalValid evaluates an expression of valid.
func (a *Attribute) evalValid(s *scope, e *expression.Expression) (expression.Value, error) {
	v, err := e.Eval(s)
	if err != nil {
		return v, fmt.Errorf("%s: %w", a.about("valid"), err)
	}
	return v, nil
}

// checkEqual says that a value is not that of valid: eq.
func (a *Attribute) checkEqual(s *scope, v expression.Value) error {
	if a.Valid.Eq == nil {
		return nil
	}
	want, err := a.evalValid(s, a.Valid.Eq)
	if err != nil {
		return err
	}
	if same, err := expression.Equal(v, want); err != nil || !same {
		return fmt.Errorf("%s is %s, but %s is expected", a.ID, brief(v), brief(want))
	}
	return nil
}

// checkLimit says that a value is beyond a limit, whose sentence begins with what: on the side of 1 all larger values
// are allowed, on that of -1 all smaller ones.
func (a *Attribute) checkLimit(s *scope, v expression.Value, e *expression.Expression, what string, side int) error {
	if e == nil {
		return nil
	}
	limit, err := a.evalValid(s, e)
	if err != nil {
		return err
	}
	if order, err := expression.Compare(v, limit); err != nil || order == -side {
		return fmt.Errorf("%s is %s, but %s %s is expected", a.ID, brief(v), what, brief(limit))
	}
	return nil
}

// checkAnyOf says that a value is none of those of valid: any-of.
func (a *Attribute) checkAnyOf(s *scope, v expression.Value) error {
	if a.Valid.AnyOf == nil {
		return nil
	}
	for _, e := range a.Valid.AnyOf {
		allowed, err := a.evalValid(s, e)
		if err != nil {
			return err
		}
		if same, err := expression.Equal(v, allowed); err == nil && same {
			return nil
		}
	}
	return fmt.Errorf("%s is %s, which is not one of the %d values that are allowed", a.ID, brief(v), len(a.Valid.AnyOf))
}

// checkExpr says that the condition of valid: expr is false.
func (a *Attribute) checkExpr(s *scope, v expression.Value) error {
	if a.Valid.Expr == nil {
		return nil
	}
	is, err := a.evalValid(s, a.Valid.Expr)
	if err != nil {
		return err
	}
	if ok, err := is.Truth(); err != nil || !ok {
		return fmt.Errorf("%s is %s, but %s is expected", a.ID, brief(v), a.Valid.Expr)
	}
	return nil
}

// brief returns a value for a sentence.
func brief(v expression.Value) string {
	if v.Kind == expression.Text {
		return fmt.Sprintf("%q", short(v.Text()))
	}
	return short(v.String())
}
