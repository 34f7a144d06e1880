package details

import (
	"encoding/hex"
	"fmt"
	"strings"

	"assay/model"
	"assay/ui/paint"
	"assay/ui/wording"
)

func (d *Details) add(name, value string) *line {
	d.own = append(d.own, line{name: name, value: value})
	return &d.own[len(d.own)-1]
}

func (d *Details) head(title string) { d.own = append(d.own, line{kind: heading, name: title}) }

func dim(c paint.Colors) paint.Color     { return c.Dim }
func primary(c paint.Colors) paint.Color { return c.Primary }

func (d *Details) describe(n *model.Node) {
	name := n.Name
	if n.Parent == nil {
		name = d.src.Name()
	}
	d.head(model.OneLine(name, 200))
	if n.Type != "" {
		d.add("Type", n.Type)
	}
	if n.Key != "" {
		d.add("Key", n.Key)
	}
	if v := n.ValueText(); v != "" {
		d.add("Value", v).mono = isNumber(n.Value)
	}
	if n.Symbol == "" {
		if h := hexValue(n.Value); h != "" {
			d.add("", h).mono = true
		}
	}
	if n.Raw != nil {
		d.add("Not UTF-8", hex.EncodeToString(n.Raw)).mono = true
	}
	if n.Link != nil {
		l := d.add("Leads to", linkText(n.Link))
		l.tone = primary
		l.on = func() {
			if d.OnFollow != nil {
				d.OnFollow(n)
			}
		}
	}
	offset := d.add("Offset", fmt.Sprintf("%#x  (%s)", n.Offset, wording.Number(n.Offset)))
	offset.on = func() {
		if d.OnOffset != nil {
			d.OnOffset(n.Offset)
		}
	}
	d.add("Size", fmt.Sprintf("%#x  (%s)", n.Size, wording.Count(n.Size, "byte")))
	if n.Size > 0 {
		d.add("End", fmt.Sprintf("%#x", n.End()))
	}
	if k := n.Len(); k > 0 {
		d.add("Children", wording.Number(int64(k)))
	}
	if n.Role.Layout() {
		d.add("", "belongs to the layout of this file").tone = dim
	}
}

func linkText(l *model.Link) string {
	switch {
	case l.File != "" && l.Key != "":
		return l.Key + " in " + l.File
	case l.File != "":
		return l.File
	case l.Key != "":
		return l.Key
	}
	return "another place of this file"
}

func isNumber(v any) bool {
	switch v.(type) {
	case int64, uint64, float32, float64, bool:
		return true
	}
	return false
}

func hexValue(v any) string {
	switch v := v.(type) {
	case uint64:
		if v > 9 {
			return fmt.Sprintf("%#x", v)
		}
	case int64:
		if v > 9 {
			return fmt.Sprintf("%#x", v)
		}
	}
	return ""
}

func (d *Details) problems(n *model.Node) {
	if len(n.Problems) == 0 {
		return
	}
	d.head("Problems")
	for _, p := range n.Problems {
		tone := dim
		switch p.Severity {
		case model.Error:
			tone = func(c paint.Colors) paint.Color { return c.Error }
		case model.Warning:
			tone = func(c paint.Colors) paint.Color { return c.Warning }
		}
		d.block(p.Message, tone, false)
	}
}

func (d *Details) block(text string, tone func(paint.Colors) paint.Color, mono bool) {
	d.blocks = append(d.blocks, block{at: len(d.own), text: text, tone: tone, mono: mono})
}

func (d *Details) value(n *model.Node) {
	switch v := n.Value.(type) {
	case string:
		if n.Raw == nil && (len(v) > 40 || strings.ContainsAny(v, "\n\r")) {
			d.head("Text")
			cut := v
			if len(cut) > textMax {
				cut = cut[:textMax]
			}
			d.block(cut, nil, strings.Contains(v, "\n"))
			if len(v) > textMax {
				d.add("", fmt.Sprintf("… %s more", wording.Count(int64(len(v)-textMax), "byte"))).tone = dim
			}
		}
	case model.Array:
		d.array = v
	}
}

func (d *Details) fields(n *model.Node) {
	k := n.Len()
	if k == 0 {
		return
	}
	d.head("Fields")
	for i := range min(k, fieldsMax) {
		c := n.Child(i)
		v := c.ValueText()
		if v == "" {
			v = c.Key
		}
		l := d.add(c.Name, v)
		if v == "" {
			l.value, l.tone = c.Type, dim
		}
		l.mono = isNumber(c.Value) && c.Symbol == ""
		l.on = func() {
			if d.OnGo != nil {
				d.OnGo(c)
			}
		}
	}
	if k > fieldsMax {
		d.add("…", wording.Count(int64(k-fieldsMax), "more field")).tone = dim
	}
}

func (d *Details) bytes(n *model.Node, raw []byte) {
	if len(raw) == 0 {
		return
	}
	d.head("Bytes")
	d.blocks = append(d.blocks, block{at: len(d.own), raw: raw, offset: n.Offset})
	if n.Size > int64(len(raw)) {
		d.own = append(d.own, line{kind: text, name: "… " + wording.Count(n.Size-int64(len(raw)), "more byte"), tone: dim})
	}
}

// rawLines are the bytes of a block, as many in a line as fit into a number of characters.
func (d *Details) rawLines(b block, fit int) []line {
	wide := 4
	for wide < 16 && 2*wide*4 <= fit {
		wide *= 2
	}
	var lines []line
	for i := 0; i < len(b.raw); i += wide {
		part := b.raw[i:min(len(b.raw), i+wide)]
		digits := strings.TrimSpace(fmt.Sprintf("% x", part))
		at := b.offset + int64(i)
		lines = append(lines, line{kind: bytes, name: fmt.Sprintf("%-*s %s", wide*3-1, digits, printable(part)), mono: true, on: func() {
			if d.OnOffset != nil {
				d.OnOffset(at)
			}
		}})
	}
	return lines
}

func printable(b []byte) string {
	out := make([]byte, len(b))
	for i, c := range b {
		if c < 0x20 || c > 0x7e {
			c = '.'
		}
		out[i] = c
	}
	return string(out)
}
