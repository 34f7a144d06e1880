package stack

import (
	"strconv"
	"strings"

	"assay/model"
	"assay/ui/host"
	"assay/ui/paint"
	"assay/ui/rows"
)

// layerData is the layers as a table sees them.
type layerData Pane

func (d *layerData) Len() int { return len(d.docs) }

func (d *layerData) Cell(row, column int) rows.Cell {
	doc := (*Pane)(d).Documents()[row]
	switch column {
	case 0:
		return rows.Cell{Text: strconv.Itoa(row + 1), Tone: paint.Dim}
	case 1:
		return rows.Cell{Text: model.OneLine(doc.Source.Name(), 300), Bold: row == len(d.docs)-1}
	}
	if row >= len(d.win) {
		return rows.Cell{}
	}
	switch column {
	case 2:
		return rows.Cell{Text: host.Number(len(d.win[row]) + d.lose[row])}
	case 3:
		return rows.Cell{Text: host.Number(len(d.win[row]))}
	}
	if d.lose[row] == 0 {
		return rows.Cell{Text: "0", Tone: paint.Dim}
	}
	return rows.Cell{Text: host.Number(d.lose[row]), Tone: paint.Warning}
}

// keyData is the keys as a table sees them.
type keyData Pane

// Len is the number of keys that are shown.
func (d *keyData) Len() int { return len(d.rows) }

func (d *keyData) Cell(row, column int) rows.Cell {
	i := d.rows[row]
	if column == 0 {
		return rows.Cell{Text: model.OneLine(d.overlay.At(i).Key, 200), Mono: true}
	}
	in, win := d.overlay.Providers(i)
	winner := d.overlay.Layer(in[len(in)-1])
	switch column {
	case 1:
		at, from := in[len(in)-1], winner.Payloads
		name := d.names.Of(at, func() string { return model.OneLine(from.At(at.Index).Name, 300) })
		return rows.Cell{Text: name}
	case 2:
		text := model.OneLine(winner.Source.Name(), 200)
		if win > 1 {
			text += " (" + host.Number(win) + " times)"
		}
		return rows.Cell{Text: text}
	}
	var others []string
	for _, p := range in[:len(in)-win] {
		name := model.OneLine(d.overlay.Layer(p).Source.Name(), 200)
		if len(others) == 0 || others[len(others)-1] != name {
			others = append(others, name)
		}
	}
	return rows.Cell{Text: strings.Join(others, ", "), Tone: paint.Warning}
}
