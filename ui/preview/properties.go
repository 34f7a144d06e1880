package preview

import (
	"context"
	"strings"

	"fyne.io/fyne/v2"

	"assay/model"
	"assay/model/content"
	"assay/ui/host"
	"assay/ui/paint"
	"assay/ui/rows"
)

// properties shows the fields of a node as a table, in which the selected one is current.
type properties struct {
	preview *Preview
	table   *rows.Table
	of      *model.Node
	row     int // of child
	child   *model.Node
}

var (
	_ viewer         = (*properties)(nil)
	_ rows.TableData = (*properties)(nil)
)

func newProperties(h host.Host, style *paint.Style, p *Preview) *properties {
	s := &properties{preview: p}
	s.table = rows.NewTable(h, style, s, rows.TableOptions{Header: true, MinSize: fyne.NewSize(80, 40), Grow: 800},
		rows.Column{Title: "Field", Width: 100}, rows.Column{Title: "Value", Width: 120},
		rows.Column{Title: "Type", Width: 80})
	s.table.OnActivate = func(row int) {
		if p.OnAsset != nil {
			p.OnAsset(p.of, s.at(row))
		}
	}
	return s
}

func (s *properties) Content() fyne.CanvasObject { return s.table }

func (s *properties) Load(_ context.Context, v model.View) (show func(), err error) {
	t := v.(*content.Properties)
	return func() {
		if s.of != t.Node {
			s.of, s.child = t.Node, nil
			s.table.SetData(s)
		}
		s.table.SetCurrent(t.Current)
		n, what := t.Node.Len(), "field"
		if isList(t.Node) {
			n, what = t.Node.Elements(), "element"
		}
		s.preview.say(host.Count(n, what) + " · " + host.Count(t.Node.Size, "byte"))
	}, nil
}

func isList(n *model.Node) bool { return strings.HasSuffix(n.Type, "[]") && !n.Leaf() }

func (s *properties) Clear() {
	s.of, s.child = nil, nil
	s.table.SetData(s)
}

func (s *properties) Len() int {
	if s.of == nil {
		return 0
	}
	return s.of.Len()
}

// at returns a field.
func (s *properties) at(row int) *model.Node {
	if s.child == nil || s.row != row {
		s.row, s.child = row, s.of.Child(row)
	}
	return s.child
}

func (s *properties) Cell(row, column int) rows.Cell {
	n := s.at(row)
	switch column {
	case 0:
		return rows.Cell{Text: n.Title(), Ends: true}
	case 2:
		return rows.Cell{Text: n.Type, Tone: paint.Dim, Ends: true}
	}
	value := rows.Cell{Text: n.ValueText()}
	switch {
	case value.Text != "":
	case n.Link != nil && n.Link.Title() != "":
		value = rows.Cell{Text: n.Link.Title(), Ends: true, Tone: paint.Link}
	case isList(n):
		value = rows.Cell{Text: host.Number(n.Elements()), Tone: paint.Dim}
	}
	if col, ok := n.Color(); ok {
		value.Mark.Paint = paint.Swatch(col)
	}
	return value
}
