package document

import (
	"fmt"

	"assay/formats/gpb"
	"assay/model"
)

// keyTable returns the keys of a channel as rows: the time in seconds, then the values.
func keyTable(c *gpb.Channel) *model.Table {
	t := &model.Table{Rows: c.Times.Count, Columns: []model.Column{{Name: "time (s)", Type: "float", Numeric: true}}}
	each := int64(len(c.Components()))
	for _, part := range c.Components() {
		t.Columns = append(t.Columns, model.Column{Name: part.String(), Type: "float", Numeric: true})
	}
	if each == 0 && c.Times.Count > 0 { // what it moves is not known
		each = min(c.Values.Count/c.Times.Count, 16)
		for i := range each {
			t.Columns = append(t.Columns, model.Column{Name: fmt.Sprintf("value %d", i), Type: "float", Numeric: true})
		}
	}
	t.Cell = func(row int64, column int) any {
		from, at := c.Values, row*each+int64(column)-1
		if column == 0 {
			from, at = c.Times, row
		}
		if at >= from.Count {
			return nil
		}
		v, err := from.Slice(at, 1)
		if err != nil || len(v) == 0 {
			return nil
		}
		if column > 0 {
			return v[0]
		}
		s, _ := gpb.Seconds(v[0])
		return s
	}
	t.Offset = func(row int64) int64 { return c.Times.Offset + row*c.Times.Form.Size() }
	return t
}

// keys returns the keys of the channel that a node is or is a part of.
func (b *bundle) keys(n *model.Node) (*model.Node, *model.Table) {
	for ; n != nil; n = n.Parent {
		if c, ok := b.ObjectAt(n).(*gpb.Channel); ok && c.Times.Source != nil {
			return n, keyTable(c)
		}
	}
	return nil, nil
}
