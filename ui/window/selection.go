package window

import (
	"context"
	"fmt"

	"assay/model"
	"assay/model/checksum"
	"assay/model/content"
	"assay/ui/ask"
	"assay/ui/doc"
	"assay/ui/host"
)

// selectedSpan is the range of bytes that is selected, or those of the selected node.
func selectedSpan(p *doc.Pane) (model.Span, bool) {
	s := p.Selection()
	switch {
	case s.Length > 0:
		return model.Span{Offset: s.Offset, Size: s.Length}, true
	case s.Node != nil && s.Node.Size > 0:
		return s.Node.Span, true
	}
	return model.Span{}, false
}

// overBytes is an action on bytes that are selected.
func overBytes(do func(p *doc.Pane, at model.Span)) action {
	return onPane(func(p *doc.Pane) {
		if at, ok := selectedSpan(p); ok {
			do(p, at)
		} else {
			p.Tell("No bytes are selected.")
		}
	})
}

// checksums lists the checksums of bytes; Enter copies one.
func (w *Window) checksums(p *doc.Pane, at model.Span) {
	src := p.Document().Source
	var sums []checksum.Sum
	w.Choose(fmt.Sprintf("Checksums of %s at %#x (Enter to copy)", host.Count(at.Size, "byte"), at.Offset), "",
		func(ctx context.Context, query string, show func([]ask.Item)) {
			all := sums
			if all == nil {
				var err error
				if all, err = checksum.Of(ctx, src, at, nil); err != nil {
					return
				}
			}
			var items []ask.Item
			for _, s := range all {
				if ask.Has(query, s.Name, s.Hex) {
					items = append(items, ask.Item{Name: s.Name, Where: s.Hex, On: func() { w.Copy(s.Hex) }})
				}
			}
			show(items)
			w.group.Show(ctx, func() { sums = all })
		})
}

// texts lists the strings in bytes; Enter goes to one.
func (w *Window) texts(p *doc.Pane, at model.Span) {
	src := p.Document().Source
	w.Choose(fmt.Sprintf("Strings in %s at %#x", host.Count(at.Size, "byte"), at.Offset), "No strings in these bytes",
		func(ctx context.Context, query string, show func([]ask.Item)) {
			found, err := content.Look(ctx, src, at)
			if err != nil {
				return
			}
			var items []ask.Item
			for _, s := range found.Strings {
				if ask.Has(query, s.Text) {
					items = append(items, ask.Item{Name: model.OneLine(s.Text, 200),
						Note: fmt.Sprintf("%#x", s.Offset), On: func() { p.GoTo(s.Offset) }})
				}
			}
			show(items)
		})
}
