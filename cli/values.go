package cli

import (
	"fmt"
	"reflect"
	"strconv"

	"github.com/alecthomas/kong"
	"github.com/dustin/go-humanize"

	"assay/model"
)

// valueMappers parse the values of flags and arguments. Their error messages are plain English, unlike kong's.
var valueMappers = []kong.Option{
	kong.KindMapper(reflect.String, kong.MapperFunc(decodeText)),
	kong.KindMapper(reflect.Int, kong.MapperFunc(decodeInt)),
	kong.KindMapper(reflect.Float64, kong.MapperFunc(decodeFloat)),
}

// decodeText takes an argument unchanged. Kong's own mapper passes it through JSON, which replaces bytes that are not
// UTF-8; file names may contain such bytes.
func decodeText(ctx *kong.DecodeContext, target reflect.Value) error {
	text, err := valueText(ctx)
	if err == nil {
		target.SetString(text)
	}
	return err
}

func decodeInt(ctx *kong.DecodeContext, target reflect.Value) error {
	text, err := valueText(ctx)
	if err != nil {
		return err
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		return fmt.Errorf("%s is not a whole number", model.OneLine(text, 100))
	}
	target.SetInt(int64(n))
	return nil
}

func decodeFloat(ctx *kong.DecodeContext, target reflect.Value) error {
	text, err := valueText(ctx)
	if err != nil {
		return err
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || f != f {
		return fmt.Errorf("%s is not a number, such as 0.001", model.OneLine(text, 100))
	}
	target.SetFloat(f)
	return nil
}

func valueText(ctx *kong.DecodeContext) (string, error) {
	token, err := ctx.Scan.PopValue("value")
	if err != nil {
		return "", err
	}
	text, ok := token.Value.(string)
	if !ok {
		return "", fmt.Errorf("expected a text, not %v", token.Value)
	}
	return text, nil
}

// byteSize is a number of bytes that is parsed with or without a unit.
type byteSize int64

// Decode implements kong.MapperValue.
func (s *byteSize) Decode(ctx *kong.DecodeContext) error {
	text, err := valueText(ctx)
	if err != nil {
		return err
	}
	n, err := humanize.ParseBytes(text)
	if err != nil || n == 0 || n > 1<<62 {
		return fmt.Errorf("%s is not a size, such as 500000, 64MB or 1GiB", model.OneLine(text, 100))
	}
	*s = byteSize(n)
	return nil
}
