package doc

import (
	"context"
	"errors"
	"slices"

	"assay/model"
	"assay/ui/host"
)

// FailedNotice is the ID of the notice of a read that failed.
const FailedNotice = "failed"

// listen waits for a read of the document that fails.
func (p *Pane) listen() {
	d := p.doc
	p.failure = nil
	d.Source.OnFailed(func(err *model.ReadError) {
		p.group.Go(func(context.Context) func() {
			return func() {
				if d == p.doc {
					p.failed(err)
				}
			}
		})
	})
}

// failed tells of a read that failed: what is shown may be wrong, though no part of the file is.
func (p *Pane) failed(err *model.ReadError) {
	if errors.Is(err, model.ErrChanged) {
		p.Stale()
		return
	}
	p.failure = &model.Problem{Severity: model.Error, Span: err.Span, Path: "/",
		Message: err.Error() + "; values decoded after this may be wrong or missing"}
	if r := p.problems.report; r != nil {
		p.showReport(r)
	}
	p.Notify(host.Notice{ID: FailedNotice, Level: host.Error, Text: p.doc.Source.Name() + ": " + err.Error() +
		". The displayed data may be wrong. Check the disk or network, then press " +
		p.Keys().Text("file.reload") + " to reload the file."})
}

// showReport shows what is wrong with the document, after what is wrong with the disk.
func (p *Pane) showReport(r *model.Report) {
	if p.failure != nil && !slices.Contains(r.Problems, *p.failure) {
		all := *r
		all.Problems = append([]model.Problem{*p.failure}, r.Problems...)
		all.Count[model.Error]++
		all.Worst = model.Error
		r = &all
	}
	p.problems.set(p.doc, r)
	p.drawer.retitle()
	p.Changed()
}

// verdict is what there is to say of a file without problems.
func verdict(r *model.Report, size int64) string {
	text := "No problems found: " + host.Number(r.Accounted) + " of " + host.Count(size, "byte") + " decoded"
	if n := len(r.Gaps); n > 0 {
		text += "; the rest is in " + host.Count(n, "gap")
	}
	return text + "."
}
