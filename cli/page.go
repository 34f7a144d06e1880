package cli

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"assay/model"
)

// pageWidth is how many characters a line of a page has at most.
const pageWidth = 100

// Page prints what people read about a format.
func (r *Runner) Page(p *model.Page) {
	fmt.Fprintf(r.Out, "%s\n\n", p.Title)
	r.paragraphs(p.Text, "")
	for _, s := range p.Sections {
		fmt.Fprintf(r.Out, "%s\n\n", s.Title)
		r.paragraphs(strings.TrimSpace(s.Text+" "+s.Source), "  ")
		for _, t := range s.Terms {
			fmt.Fprintf(r.Out, "  %s\n", t.Title)
			r.paragraphs(strings.TrimSpace(t.Text+" "+t.Source), "      ")
			for _, v := range t.Values {
				fmt.Fprintf(r.Out, "      %#6x %-6d %s\n", v.Number, v.Number, v.Name)
			}
			if len(t.Values) > 0 || t.Text == "" {
				fmt.Fprintln(r.Out)
			}
		}
	}
}

// paragraphs prints the paragraphs of a text, each after the other and an empty line. An example keeps its lines.
func (r *Runner) paragraphs(text, indent string) {
	for block := range strings.SplitSeq(text, "\n\n") {
		switch {
		case block == "":
			continue
		case strings.HasPrefix(block, "    "):
			fmt.Fprintln(r.Out, block)
		default:
			r.wrapped(block, indent)
		}
		fmt.Fprintln(r.Out)
	}
}

// wrapped prints a paragraph in lines of pageWidth.
func (r *Runner) wrapped(text, indent string) {
	line := indent
	for word := range strings.FieldsSeq(text) {
		if line != indent && utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > pageWidth {
			fmt.Fprintln(r.Out, line)
			line = indent
		}
		if line != indent {
			line += " "
		}
		line += word
	}
	fmt.Fprintln(r.Out, line)
}
