package verbs

import (
	"bufio"
	"context"
	"fmt"
	"runtime"
	"sync"

	"golang.org/x/sync/errgroup"

	"assay/model"
)

// Verify looks at the structure, the coverage and the recorded checksums of each file and prints what it finds.
func (r *Runner) Verify(ctx context.Context, files []string) int {
	worst := Fine
	for _, f := range files {
		worst = max(worst, r.verify(ctx, f))
	}
	return worst
}

func (r *Runner) verify(ctx context.Context, file string) int {
	return r.with(ctx, file, func(d *model.Document, report *model.Report) error {
		out := bufio.NewWriter(r.Out)
		size := d.Source.Size()
		fmt.Fprintf(out, "%s: %s %s, %d bytes, %s accounted\n", name(file), d.Format, d.Variant, size, report.Percent(size))
		sums, err := verifyPayloads(ctx, d, report)
		if err != nil {
			return err
		}
		for _, p := range report.Problems {
			fmt.Fprintf(out, "  %s %#x %s: %s\n", p.Severity, p.Span.Offset, model.OneLine(p.Path, 400), model.OneLine(p.Message, 400))
		}
		if report.Omitted > 0 {
			fmt.Fprintf(out, "  and %d more problems\n", report.Omitted)
		}
		if d.Payloads != nil {
			fmt.Fprintf(out, "  checksums: %d valid, %d invalid, %d not recorded, %d cannot be checked\n",
				sums[model.Valid], sums[model.Invalid], sums[model.Unrecorded], sums[model.Unknown])
		}
		if report.Bad() {
			fmt.Fprintln(out, "  this file has problems")
		} else {
			fmt.Fprintln(out, "  fine")
		}
		return out.Flush()
	})
}

// verifyPayloads compares every payload with its checksum, on all cores, counts the verdicts and adds what is wrong to
// the report in the order of the payloads.
func verifyPayloads(ctx context.Context, d *model.Document, report *model.Report) ([model.Unknown + 1]int, error) {
	var counts [model.Unknown + 1]int
	if d.Payloads == nil {
		return counts, nil
	}
	const batch = 256 // problems are sorted within a batch, so that memory stays small for a million assets
	n := d.Payloads.Len()
	for start := 0; start < n; start += batch {
		found := make([]*model.Problem, min(batch, n-start))
		var mu sync.Mutex
		g, gctx := errgroup.WithContext(ctx)
		g.SetLimit(runtime.NumCPU())
		for i := range found {
			g.Go(func() error {
				v, p, err := verifyPayload(gctx, d.Payloads.At(start+i))
				if err != nil {
					return err
				}
				found[i] = p
				mu.Lock()
				counts[v]++
				mu.Unlock()
				return nil
			})
		}
		if err := g.Wait(); err != nil {
			return counts, err
		}
		for _, p := range found {
			if p != nil {
				report.Add(*p)
			}
		}
	}
	return counts, nil
}

// verifyPayload checks one payload. The error is the context's; everything else is a problem.
func verifyPayload(ctx context.Context, p *model.Payload) (model.Verdict, *model.Problem, error) {
	if p.Verify == nil {
		return model.Unrecorded, nil, nil
	}
	v, detail, err := p.Verify(ctx)
	if ctx.Err() != nil {
		return v, nil, ctx.Err()
	}
	path := "/"
	if p.Node != nil {
		path = p.Node.PathText()
	}
	if err != nil {
		return model.Unknown, &model.Problem{Severity: model.Error, Span: p.Stored, Path: path, Message: err.Error()}, nil
	}
	if v == model.Invalid {
		return v, &model.Problem{Severity: model.Error, Span: p.Stored, Path: path, Message: detail}, nil
	}
	return v, nil, nil
}
