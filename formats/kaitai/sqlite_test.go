package kaitai

import (
	"encoding/binary"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// sqliteDescription is of a database of which each table is one page: https://www.sqlite.org/fileformat2.html.
const sqliteDescription = `
meta: {id: sqlite, endian: be, encoding: UTF-8}
seq:
  - {id: magic, contents: ["SQLite format 3", 0]}
  - {id: len_page, type: u2}
  - {id: versions, size: 10}
  - {id: num_pages, type: u4}
  - {id: lists, size: 24}
  - {id: encoding, type: u4, enum: encoding}
  - {id: rest, size: 40}
  - {id: schema, type: page, size: len_page - 100}
  - {id: pages, type: page, size: len_page, repeat: expr, repeat-expr: num_pages - 1}
types:
  page:
    seq:
      - {id: kind, type: u1, enum: kind}
      - {id: first_free, type: u2}
      - {id: num_cells, type: u2}
      - {id: ofs_cells, type: u2}
      - {id: num_fragments, type: u1}
      - {id: places, type: u2, repeat: expr, repeat-expr: num_cells}
    instances:
      cells: {pos: 0, type: 'cell(places[_index])', repeat: expr, repeat-expr: num_cells}
  cell:
    params: [{id: place, type: u2}]
    instances:
      head: {pos: 'place - (_root.len_page - _io.size)', type: cell_head}
  cell_head:
    seq:
      - {id: len_record, type: varint}
      - {id: row, type: varint}
      - {id: record, type: record, size: len_record.value}
  record:
    seq:
      - {id: len_head, type: varint}
      - {id: forms, type: forms, size: len_head.value - 1}
      - {id: columns, type: 'column(forms.list[_index].value)', repeat: expr, repeat-expr: forms.list.size}
  forms: {seq: [{id: list, type: varint, repeat: eos}]}
  column:
    params: [{id: form, type: u8}]
    seq:
      - id: value
        size: '(form - 12) / 2'
        if: form >= 12
        type: {switch-on: form % 2, cases: {1: text}}
      - {id: number, type: {switch-on: form, cases: {1: s1, 2: s2, 4: s4, 6: s8, 7: f8}}, if: form < 12}
  text: {seq: [{id: text, type: str, size-eos: true}]}
  varint:
    seq: [{id: groups, type: group, repeat: until, repeat-until: not _.has_more}]
    instances:
      value: {value: 'groups.size == 1 ? groups[0].bits : groups[0].bits * 128 + groups[1].bits'}
  group: {seq: [{id: has_more, type: b1}, {id: bits, type: b7}]}
enums:
  encoding: {1: utf_8, 2: utf_16le, 3: utf_16be}
  kind: {5: table_branch, 13: table_leaf}
`

// varint writes a number of at most 14 bits as the file format does.
func varint(n int) []byte {
	if n < 128 {
		return []byte{byte(n)}
	}
	return []byte{byte(n>>7) | 0x80, byte(n & 127)}
}

// sqliteRow is a cell of a leaf: a record of nothing (for the row's own number), texts, whole numbers and fractions.
func sqliteRow(row int, columns ...any) []byte {
	var head, body []byte
	for _, c := range columns {
		switch c := c.(type) {
		case nil:
			head = append(head, 0)
		case string:
			head, body = append(head, varint(13+2*len(c))...), append(body, c...)
		case int16:
			head, body = append(head, 2), binary.BigEndian.AppendUint16(body, uint16(c))
		case float64:
			var err error
			head = append(head, 7)
			if body, err = binary.Append(body, binary.BigEndian, c); err != nil {
				panic(err)
			}
		}
	}
	record := append(append(varint(len(head)+1), head...), body...)
	return append(append(varint(len(record)), varint(row)...), record...)
}

// sqlitePage is a leaf of a table, whose head begins at an offset of its page; the cells are at its end.
func sqlitePage(size, head int, cells ...[]byte) []byte {
	page := make([]byte, size)
	end, places := size, []byte{}
	for _, c := range cells {
		end -= len(c)
		copy(page[end:], c)
		places = binary.BigEndian.AppendUint16(places, uint16(end))
	}
	page[head] = 13
	binary.BigEndian.PutUint16(page[head+3:], uint16(len(cells)))
	binary.BigEndian.PutUint16(page[head+5:], uint16(end))
	copy(page[head+8:], places)
	return page
}

// TestRowsOfADatabaseAreRead has rows at the ends of pages, with numbers of differing sizes.
func TestRowsOfADatabaseAreRead(t *testing.T) {
	const size = 1024
	long := strings.Repeat("largo", 40)
	schema := sqlitePage(size, 100, sqliteRow(1, "table", "tree", "tree", int16(2),
		"CREATE TABLE tree(id INTEGER PRIMARY KEY, name TEXT, height REAL, count INT)"))
	copy(schema, "SQLite format 3\x00\x04\x00\x01\x01\x00\x40\x20\x20")
	for at, n := range map[int]uint32{24: 1, 28: 2, 40: 1, 44: 4, 56: 1, 92: 1, 96: 3040001} {
		binary.BigEndian.PutUint32(schema[at:], n)
	}
	rows := sqlitePage(size, 0, sqliteRow(1, nil, "oak", 12.5, int16(-7)), sqliteRow(2, nil, long, -0.25, int16(300)),
		sqliteRow(200, nil, "größe", 1e9, nil))
	file := append(schema, rows...)

	root := openWithoutErrors(t, sqliteDescription, file).Root()
	assert.Equal(t, "utf_8 (1)", valueTextAt(t, root, "encoding"))
	assert.Equal(t, "table_leaf (13)", valueTextAt(t, root, "schema/kind"))
	assert.Equal(t, "tree", valueTextAt(t, root, "schema/cells/0/head/record/columns/1/value/text"))
	cells := root.ChildNamed("pages").Child(0).ChildNamed("cells")
	require.Equal(t, 3, cells.Len())
	for i, want := range []string{"1 oak 12.5 -7", "2 " + long + " -0.25 300", "200 größe 1e+09 none"} {
		head := cells.Child(i).ChildNamed("head")
		columns := head.ChildNamed("record").ChildNamed("columns")
		got := valueTextAt(t, head, "row/value")
		for k, name := range []string{"", "value/text", "number", "number"} {
			switch {
			case k == 0:
			case columns.Child(k).ChildNamed(strings.Split(name, "/")[0]) == nil:
				got += " none"
			default:
				got += " " + valueTextAt(t, columns.Child(k), name)
			}
		}
		assert.Equal(t, want, got)
	}
}
