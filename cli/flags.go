package cli

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strconv"

	"github.com/alecthomas/kong"
	"github.com/dustin/go-humanize"

	"assay/model"
	"assay/model/userdata"
)

// formatFlag is the flag for the format of files, regardless of their content.
type formatFlag struct {
	Format string `placeholder:"NAME|FILE.ksy" help:"Read files as this format or with this Kaitai Struct description (see assay formats)."`
}

// apply makes the command open all files in the format of the flag.
func (f *formatFlag) apply(s *session) error {
	if f.Format == "" {
		return nil
	}
	open, err := opener.As(f.Format)
	if err != nil {
		return err
	}
	s.readAs(open)
	return nil
}

// readAs makes the command open files, pipes and the standard input with an opener.
func (s *session) readAs(open model.Opener) {
	s.runner.OpenStream = open
	s.runner.Open = func(ctx context.Context, path string) (*model.Document, error) {
		return model.OpenDocument(ctx, path, "", open)
	}
}

// resourcesFlag is the flag for the folder to search for referenced files.
type resourcesFlag struct {
	Resources string `placeholder:"DIR" help:"Additional folder to search for referenced files, such as materials and textures."`
}

// apply makes the command search that folder for referenced files.
func (f *resourcesFlag) apply(s *session) error {
	if f.Resources == "" {
		return nil
	}
	if info, err := os.Stat(f.Resources); err != nil || !info.IsDir() {
		return fmt.Errorf("--resources: cannot read the folder %s", model.OneLine(f.Resources, 200))
	}
	folder, err := filepath.Abs(f.Resources)
	if err != nil {
		return err
	}
	s.prepareSources(func(src *model.Source) { src.SetResources(folder) })
	return nil
}

// prepareSources calls do with the source of each file before the file is opened.
func (s *session) prepareSources(do func(src *model.Source)) {
	s.runner.OpenSource = withPreparation(do, s.runner.OpenSource)
	s.readAs(withPreparation(do, s.runner.OpenStream))
}

// withPreparation returns an opener that first calls do with the source.
func withPreparation(do func(src *model.Source), open model.Opener) model.Opener {
	return func(ctx context.Context, src *model.Source) (*model.Document, error) {
		do(src)
		return open(ctx, src)
	}
}

// useAssignments makes drawn and exported models use the materials and pictures that this user assigned by hand.
// Verify and diff ignore them: scripts and reviews need the same result for everyone.
func (s *session) useAssignments() {
	all := userdata.AssignmentsIn(userdata.AssignmentFolder())
	s.prepareSources(func(src *model.Source) { src.SetAssignments(all) })
}

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
