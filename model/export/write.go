package export

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"

	"assay/model"
)

// Opener opens bytes that are to be read as a file.
type Opener = func(ctx context.Context, src *model.Source) (*model.Document, error)

// Target is the file that is written.
type Target struct {
	Path    string
	Replace bool // a file that is there already; else it stays as it is, and nothing is written
}

// Write writes an archive, which is read back before the file gets its name, and returns its size. from are the
// documents that it is copied from: if one of them changed meanwhile, there is no file.
func Write(ctx context.Context, to Target, p model.ArchivePlan, from []*model.Document, open Opener) (size int64,
	err error) {
	err = WriteNew(to.Path, to.Replace, func(w io.Writer) error {
		if err := p.Write(ctx, w); err != nil {
			return err
		}
		for _, d := range from {
			if err := d.Source.Changed(); err != nil {
				return err
			}
			if err := d.Source.Failed(); err != nil {
				return fmt.Errorf("%s: %w", model.OneLine(d.Source.Name(), 400), err)
			}
		}
		return nil
	}, func(src *model.Source) error {
		size = src.Size()
		return verify(ctx, src, p, open)
	})
	return size, err
}

// verify reads an archive that was written: its structure, and each content against the checksum that was copied with
// it.
func verify(ctx context.Context, src *model.Source, p model.ArchivePlan, open Opener) error {
	if p.ComputesSums() {
		src.SetSummed() // from the bytes that went by
	}
	d, err := open(ctx, src)
	if err != nil {
		return err
	}
	n := 0
	if d.Payloads != nil {
		n = d.Payloads.Len()
	}
	if n != p.Len() {
		return fmt.Errorf("verification failed: the written package has %s, not %d", model.PlainCount(n, "asset"), p.Len())
	}
	report, err := d.Check(ctx, nil)
	if err != nil {
		return err
	}
	wrong := slices.IndexFunc(report.Problems, func(p model.Problem) bool { return p.Severity == model.Error })
	if wrong >= 0 {
		p := report.Problems[wrong]
		return fmt.Errorf("verification of the written package failed: %s: %s", model.OneLine(p.Path, 400), model.OneLine(p.Message, 400))
	}
	if p.ComputesSums() {
		return nil
	}
	return verifyContents(ctx, d, n)
}

// verifyContents compares n assets with their checksums, on all cores.
func verifyContents(ctx context.Context, d *model.Document, n int) error {
	const least = 256 // assets that one core looks at by themselves
	cores := runtime.NumCPU()
	part := max((n+cores-1)/cores, least)
	g, ctx := errgroup.WithContext(ctx)
	for from := 0; from < n; from += part {
		g.Go(func() error {
			var wrong error
			each := func(i int, v model.Verdict, why string, err error) {
				if wrong == nil && (err != nil || v == model.Invalid) {
					if err != nil {
						why = err.Error()
					}
					wrong = fmt.Errorf("what was written has a problem: %s: %s", d.Payloads.At(i).Key, why)
				}
			}
			to := min(from+part, n)
			if all, ok := d.Payloads.(model.Verifier); ok {
				if err := all.VerifyEach(ctx, from, to, each); err != nil {
					return err
				}
				return wrong
			}
			for i := from; i < to && wrong == nil; i++ {
				v, why, err := d.Payloads.At(i).Check(ctx)
				if ctx.Err() != nil {
					return ctx.Err()
				}
				each(i, v, why, err)
			}
			return wrong
		})
	}
	return g.Wait()
}
