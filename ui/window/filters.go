package window

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"assay/model/query"
)

// explainFilters shows how filters are written.
func (w *Window) explainFilters() {
	plain := func(text string) widget.RichTextSegment {
		return &widget.TextSegment{Style: widget.RichTextStyleParagraph, Text: text}
	}
	page := widget.NewRichText(plain(query.Where))
	for _, r := range query.Rules {
		written := widget.RichTextStyleCodeBlock
		written.ColorName = theme.ColorNamePrimary
		page.Segments = append(page.Segments, &widget.TextSegment{Style: written, Text: r.Written}, plain(r.Finds))
	}
	page.Segments = append(page.Segments, plain(query.Only))
	page.Wrapping = fyne.TextWrapWord
	w.ask.Tell("Filters", container.NewVScroll(page), fyne.NewSize(640, 600))
}
