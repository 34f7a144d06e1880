package expression

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/big"
	"strings"
)

// maxText is how many bytes a text that an expression makes may have.
const maxText = 1 << 20

var errDivision = errors.New("division by zero")

// sign applies an operator to the one operand behind it.
func sign(op string, v Value) (Value, error) {
	switch {
	case op == "not":
		is, err := v.Truth()
		return BoolValue(!is), err
	case v.Kind == Float && op != "~":
		if op == "-" {
			v = FloatValue(-v.Float())
		}
		return v, nil
	case v.Kind != Int:
		return Value{}, v.unexpected(Int)
	case op == "-":
		return fromBig(new(big.Int).Neg(v.big()))
	case op == "~":
		return fromBig(new(big.Int).Not(v.big()))
	}
	return v, nil
}

// operate applies a binary operator other than `and` and `or`.
func operate(op string, a, b Value) (Value, error) {
	switch op {
	case "==", "!=":
		same, err := Equal(a, b)
		return BoolValue(same == (op == "==")), err
	case "<", "<=", ">", ">=":
		order, err := Compare(a, b)
		return BoolValue(holds(op, order)), err
	}
	switch {
	case op == "+" && a.Kind == Text && b.Kind == Text:
		if len(a.s)+len(b.s) > maxText {
			return Value{}, fmt.Errorf("the text would have %d bytes; %d are allowed", len(a.s)+len(b.s), maxText)
		}
		return TextValue(a.s + b.s), nil
	case a.Kind == Int && b.Kind == Int:
		return whole(op, a, b)
	case isNumber(a) && isNumber(b):
		return fraction(op, a.Float(), b.Float())
	}
	return Value{}, fmt.Errorf("%q cannot be applied to %v and %v", op, a.Kind, b.Kind)
}

func isNumber(v Value) bool { return v.Kind == Int || v.Kind == Float }

func holds(op string, order int) bool {
	switch op {
	case "<":
		return order < 0
	case "<=":
		return order <= 0
	case ">":
		return order > 0
	}
	return order >= 0
}

// whole computes with whole numbers. Division and remainder round towards the smaller number.
func whole(op string, a, b Value) (Value, error) {
	if !a.large && !b.large {
		if v, ok, err := small(op, a.n, b.n); ok || err != nil {
			return v, err
		}
	}
	x, y, z := a.big(), b.big(), new(big.Int)
	switch op {
	case "+":
		z.Add(x, y)
	case "-":
		z.Sub(x, y)
	case "*":
		z.Mul(x, y)
	case "/", "%":
		if y.Sign() == 0 {
			return Value{}, errDivision
		}
		quotient, rest := z.DivMod(x, y, new(big.Int))
		if rest.Sign() != 0 && y.Sign() < 0 { // DivMod leaves a rest that is not negative
			quotient.Sub(quotient, big.NewInt(1))
			rest.Add(rest, y)
		}
		if op == "%" {
			z = rest
		}
	case "&":
		z.And(x, y)
	case "|":
		z.Or(x, y)
	case "^":
		z.Xor(x, y)
	case "<<", ">>":
		if y.Sign() < 0 || !y.IsInt64() {
			return Value{}, fmt.Errorf("a shift by %v bits makes no sense", y)
		}
		by := uint(min(y.Int64(), 128))
		if op == ">>" {
			z.Rsh(x, by)
		} else {
			z.Lsh(x, by)
		}
	}
	return fromBig(z)
}

// small computes with numbers that fit in an int64; not ok if the result may not.
func small(op string, a, b int64) (v Value, ok bool, err error) {
	const half = 1 << 31
	near := a > -half && a < half && b > -half && b < half
	switch {
	case op == "+" && near:
		return IntValue(a + b), true, nil
	case op == "-" && near:
		return IntValue(a - b), true, nil
	case op == "*" && near:
		return IntValue(a * b), true, nil
	case op == "&":
		return IntValue(a & b), true, nil
	case op == "|":
		return IntValue(a | b), true, nil
	case op == "^":
		return IntValue(a ^ b), true, nil
	case (op == "/" || op == "%") && b == 0:
		return Value{}, false, errDivision
	case op == "/" && near:
		q := a / b
		if a%b != 0 && (a < 0) != (b < 0) {
			q--
		}
		return IntValue(q), true, nil
	case op == "%" && near:
		r := a % b
		if r != 0 && (r < 0) != (b < 0) {
			r += b
		}
		return IntValue(r), true, nil
	case op == ">>" && b >= 0:
		return IntValue(a >> min(b, 63)), true, nil
	case op == "<<" && near && a >= 0 && b >= 0 && b < 32:
		return IntValue(a << b), true, nil
	}
	return Value{}, false, nil
}

// fraction computes with numbers of which at least one is not whole.
func fraction(op string, a, b float64) (Value, error) {
	switch op {
	case "+":
		return FloatValue(a + b), nil
	case "-":
		return FloatValue(a - b), nil
	case "*":
		return FloatValue(a * b), nil
	case "/":
		return FloatValue(a / b), nil
	case "%":
		return FloatValue(a - b*math.Floor(a/b)), nil
	}
	return Value{}, fmt.Errorf("%q needs whole numbers", op)
}

// Equal reports whether two values are equal: values of one kind, numbers of both kinds, and bytes and lists of
// numbers. An error means that values of their kinds cannot be compared.
func Equal(a, b Value) (bool, error) {
	switch {
	case a.Kind == None || b.Kind == None:
		return a.Kind == b.Kind, nil
	case a.Kind == b.Kind && (a.Kind == Object || a.Kind == Stream):
		return a.of == b.of, nil
	case a.Kind == Bool && b.Kind == Bool:
		return a.n == b.n, nil
	case isList(a) && isList(b):
		return equalLists(a, b)
	}
	order, err := Compare(a, b)
	return order == 0 && err == nil && !isNaN(a) && !isNaN(b), err
}

func isNaN(v Value) bool  { return v.Kind == Float && math.IsNaN(v.Float()) }
func isList(v Value) bool { return v.Kind == List || v.Kind == Bytes }

func equalLists(a, b Value) (bool, error) {
	if a.Kind == Bytes && b.Kind == Bytes {
		return bytes.Equal(a.Bytes(), b.Bytes()), nil
	}
	n, _ := lengthOf(a)
	if m, _ := lengthOf(b); m != n {
		return false, nil
	}
	for i := range n {
		x, err := elementOf(a, i)
		if err != nil {
			return false, err
		}
		y, err := elementOf(b, i)
		if err != nil {
			return false, err
		}
		if isList(x) || isList(y) {
			return false, errors.New("lists of lists cannot be compared")
		}
		if same, err := Equal(x, y); !same || err != nil {
			return false, err
		}
	}
	return true, nil
}

// Compare orders two numbers, two texts by their code points, or two blocks of bytes; an error for other values.
func Compare(a, b Value) (int, error) {
	switch {
	case a.Kind == Int && b.Kind == Int && !a.large && !b.large:
		return cmp.Compare(a.n, b.n), nil
	case a.Kind == Int && b.Kind == Int:
		return a.big().Cmp(b.big()), nil
	case isNumber(a) && isNumber(b):
		return cmp.Compare(a.Float(), b.Float()), nil
	case a.Kind == Text && b.Kind == Text:
		return strings.Compare(a.s, b.s), nil
	case a.Kind == Bytes && b.Kind == Bytes:
		return bytes.Compare(a.Bytes(), b.Bytes()), nil
	}
	return 0, fmt.Errorf("%v cannot be compared with %v", a.Kind, b.Kind)
}

// bytesOf returns the bytes that a list of numbers from 0 to 255 stands for.
func bytesOf(l Elements) ([]byte, error) {
	b := make([]byte, l.Len())
	for i := range b {
		v, err := l.At(i)
		if err != nil {
			return nil, err
		}
		n, err := v.Int()
		if err != nil || n < 0 || n > 255 {
			return nil, fmt.Errorf("element %d is not a number from 0 to 255", i)
		}
		b[i] = byte(n)
	}
	return b, nil
}

// numbersOf returns bytes as a list of numbers.
func numbersOf(b []byte) Values {
	l := make(Values, len(b))
	for i, c := range b {
		l[i] = IntValue(int64(c))
	}
	return l
}
