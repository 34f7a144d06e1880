package kaitai

import (
	"cmp"
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
	valid := a.Valid
	if valid == nil {
		return nil
	}
	s.this = &v
	defer func() { s.this = nil }()
	for _, limit := range []struct {
		value *expression.Expression // nil: there is no limit
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
		want, err := s.valid(limit.value)
		if err != nil {
			return err
		}
		// Values that cannot be compared are not what is expected.
		if is, err := limit.holds(want); !is || err != nil {
			return fmt.Errorf("%s is %s, but %s%s is expected", a.ID, brief(v), limit.words, brief(want))
		}
	}
	return cmp.Or(a.checkAnyOf(s, v), a.checkEnum(v), a.checkExpr(s, v))
}

// valid evaluates an expression of valid.
func (s *scope) valid(e *expression.Expression) (expression.Value, error) {
	v, err := e.Eval(s)
	if err != nil {
		err = fmt.Errorf("%s: %w", s.a.keyName("valid"), err)
	}
	return v, err
}

func (a *Attribute) checkAnyOf(s *scope, v expression.Value) error {
	for _, e := range a.Valid.AnyOf {
		allowed, err := s.valid(e)
		if err != nil {
			return err
		}
		if is, err := expression.Equal(v, allowed); is && err == nil {
			return nil
		}
	}
	if a.Valid.AnyOf == nil {
		return nil
	}
	return fmt.Errorf("%s is %s, which is not one of the %d values that are allowed", a.ID, brief(v), len(a.Valid.AnyOf))
}

func (a *Attribute) checkEnum(v expression.Value) error {
	if a.Valid.InEnum && v.Enum != nil {
		if _, ok := v.Enum.Symbol(v); !ok {
			return fmt.Errorf("%s is %s, which the enumeration does not have", a.ID, brief(v))
		}
	}
	return nil
}

func (a *Attribute) checkExpr(s *scope, v expression.Value) error {
	if a.Valid.Expr == nil {
		return nil
	}
	is, err := s.valid(a.Valid.Expr)
	if err != nil {
		return err
	}
	if ok, err := is.Truth(); err != nil || !ok {
		return fmt.Errorf("%s is %s, but %s is expected", a.ID, brief(v), joined(a.Valid.Expr.String()))
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
