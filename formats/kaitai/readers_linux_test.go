package kaitai

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"debug/elf"
	"image"
	"image/color"
	"image/color/palette"
	"image/gif"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/sfnt"

	"assay/model"
)

const elfDescription = `
meta: {id: elf64, endian: le, encoding: ASCII}
seq:
  - {id: magic, contents: [0x7f, ELF, 2, 1]}
  - {id: ident, size: 10}
  - {id: type, type: u2}
  - {id: machine, type: u2}
  - {id: version, type: u4}
  - {id: entry, type: u8}
  - {id: ofs_program, type: u8}
  - {id: ofs_sections, type: u8}
  - {id: flags, type: u4}
  - {id: sizes, type: u2, repeat: expr, repeat-expr: 3}
  - {id: size_section, type: u2}
  - {id: count_sections, type: u2}
  - {id: index_names, type: u2}
instances:
  sections: {pos: ofs_sections, size: size_section, type: section, repeat: expr, repeat-expr: count_sections}
  names: {pos: 'sections[index_names].offset', size: 'sections[index_names].size', type: names}
types:
  names: {}
  section:
    seq:
      - {id: at_name, type: u4}
      - {id: type, type: u4}
      - {id: flags, type: u8}
      - {id: address, type: u8}
      - {id: offset, type: u8}
      - {id: size, type: u8}
    instances:
      name: {io: _root.names._io, pos: at_name, type: strz}
`

const zipDescription = `
meta: {id: zipped, endian: le, bit-endian: le, encoding: UTF-8}
instances:
  end: {pos: _io.size - 22, type: end}
  entries: {pos: end.offset, type: entry, repeat: expr, repeat-expr: end.count}
types:
  end:
    seq: [{id: magic, contents: [PK, 5, 6]}, {id: disks, size: 4}, {id: count, type: u2}, {id: total, type: u2, valid: count},
      {id: size, type: u4}, {id: offset, type: u4}, {id: comment_length, type: u2}]
  entry:
    seq:
      - {id: magic, contents: [PK, 1, 2]}
      - {id: versions, size: 4}
      - {id: flags, size: 2, type: flags}
      - {id: method, type: u2, enum: method}
      - {id: time, type: u4}
      - {id: crc, type: u4}
      - {id: packed, type: u4}
      - {id: unpacked, type: u4}
      - {id: length_name, type: u2}
      - {id: length_extra, type: u2}
      - {id: length_comment, type: u2}
      - {id: places, size: 8}
      - {id: at_local, type: u4}
      - {id: name, type: str, size: length_name}
      - {id: extra, size: length_extra}
      - {id: comment, type: str, size: length_comment}
    instances:
      local: {io: _root._io, pos: at_local, type: local}
  flags:
    seq: [{id: encrypted, type: b1}, {id: options, type: b2}, {id: has_descriptor, type: b1}]
    instances:
      is_fast: {value: options == 2, if: '_parent.method == method::deflated'}
  local:
    seq: [{id: magic, contents: [PK, 3, 4]}, {id: head, size: 22}, {id: length_name, type: u2}, {id: length_extra, type: u2},
      {id: name, type: str, size: length_name}]
enums: {method: {0: stored, 8: deflated}}
`

const fontDescription = `
meta: {id: font, endian: be}
seq:
  - {id: version, type: u4}
  - {id: count, type: u2}
  - {id: search, type: u2, repeat: expr, repeat-expr: 3}
  - {id: tables, type: table, repeat: expr, repeat-expr: count}
types:
  table:
    seq: [{id: tag, type: str, size: 4, encoding: ASCII}, {id: checksum, type: u4}, {id: offset, type: u4}, {id: length, type: u4}]
    instances:
      body: {io: _root._io, pos: offset, size: length, type: {switch-on: tag, cases: {"'name'": names, "'head'": head}}}
    -webide-representation: '{tag}'
  head: {seq: [{id: start, size: 18}, {id: units, type: u2}]}
  names:
    seq: [{id: format, type: u2}, {id: count, type: u2}, {id: texts, type: u2}, {id: records, type: name, repeat: expr, repeat-expr: count}]
  name:
    seq: [{id: ids, type: u2, repeat: expr, repeat-expr: 3}, {id: id, type: u2}, {id: length, type: u2}, {id: at, type: u2}]
    instances:
      text:
        {io: _parent._io, pos: _parent.texts + at, size: length, type: {switch-on: 'ids[0]', cases: {1: roman, 3: wide}}}
  roman: {seq: [{id: value, type: str, size-eos: true, encoding: macintosh}]}
  wide: {seq: [{id: value, type: str, size-eos: true, encoding: UTF-16BE}]}
`

const gzipDescription = `
meta: {id: gzipped, endian: le, encoding: ISO-8859-1}
seq:
  - {id: magic, contents: [0x1f, 0x8b, 8]}
  - {id: flags, type: flags}
  - {id: time, type: u4}
  - {id: extra_flags, type: u1}
  - {id: system, type: u1}
  - {id: name, type: strz, if: flags.has_name}
  - {id: comment, type: strz, if: flags.has_comment}
  - {id: body, size: _io.size - _io.pos - 8}
  - {id: crc, type: u4}
  - {id: size, type: u4}
types:
  flags: {seq: [{id: rest, type: b3}, {id: has_comment, type: b1}, {id: has_name, type: b1}, {id: more, type: b3}]}
`

const gifDescription = `
meta: {id: animation, endian: le, bit-endian: be}
seq:
  - {id: magic, contents: GIF89a}
  - {id: width, type: u2}
  - {id: height, type: u2}
  - {id: has_colors, type: b1}
  - {id: depth, type: b3}
  - {id: sorted, type: b1}
  - {id: size_colors, type: b3}
  - {id: background, type: u1}
  - {id: ratio, type: u1}
  - {id: colors, size: 3 * (2 << size_colors), if: has_colors}
  - {id: blocks, type: block, repeat: until, repeat-until: 'not _.kind == kind::image and not _.kind == kind::extension'}
types:
  block:
    seq: [{id: kind, type: u1, enum: kind}, {id: body, type: {switch-on: kind, cases: {'kind::image': image, 'kind::extension': extension}}}]
  image:
    seq: [{id: place, type: u2, repeat: expr, repeat-expr: 4}, {id: has_colors, type: b1}, {id: flags, type: b4}, {id: size_colors, type: b3},
      {id: colors, size: 3 * (2 << size_colors), if: has_colors}, {id: code_size, type: u1}, {id: data, type: parts}]
  extension: {seq: [{id: label, type: u1}, {id: data, type: parts}]}
  parts: {seq: [{id: parts, type: part, repeat: until, repeat-until: _.size == 0}]}
  part: {seq: [{id: size, type: u1}, {id: bytes, size: size}]}
enums: {kind: {0x21: extension, 0x2c: image, 0x3b: end}}
`

// TestProgramAndArchiveAgreeWithOtherReaders compares with debug/elf and archive/zip: the section names of a program
// are elsewhere, and an archive is read from its end.
func TestProgramAndArchiveAgreeWithOtherReaders(t *testing.T) {
	program, err := os.Executable()
	require.NoError(t, err)
	content, err := os.ReadFile(program)
	require.NoError(t, err)
	want, err := elf.NewFile(bytes.NewReader(content))
	require.NoError(t, err)
	d := openWithoutErrors(t, elfDescription, content)
	sections := d.Root().ChildNamed("sections")
	require.Equal(t, len(want.Sections), sections.Len())
	for i, s := range want.Sections {
		assert.Equal(t, s.Name, valueTextAt(t, sections.Child(i), "name"))
		assert.Equal(t, strconv.FormatUint(s.Offset, 10), valueTextAt(t, sections.Child(i), "offset"))
	}

	var archive bytes.Buffer
	z := zip.NewWriter(&archive)
	for _, name := range []string{"one.txt", "folder/two.txt", "größe.txt"} {
		f, err := z.Create(name)
		require.NoError(t, err)
		_, err = f.Write(bytes.Repeat([]byte(name), 20))
		require.NoError(t, err)
	}
	require.NoError(t, z.Close())
	listed, err := zip.NewReader(bytes.NewReader(archive.Bytes()), int64(archive.Len()))
	require.NoError(t, err)
	entries := openWithoutErrors(t, zipDescription, archive.Bytes()).Root().ChildNamed("entries")
	require.Equal(t, len(listed.File), entries.Len())
	for i, f := range listed.File {
		e := entries.Child(i)
		assert.Equal(t, f.Name, valueTextAt(t, e, "name"))
		assert.Equal(t, f.Name, valueTextAt(t, e, "local/name"))
		assert.Equal(t, "deflated (8)", valueTextAt(t, e, "method"))
		assert.Equal(t, "false", valueTextAt(t, e, "flags/is_fast"))
	}
}

// TestFramesOfAnAnimationAreRead has frames between other blocks.
func TestFramesOfAnAnimationAreRead(t *testing.T) {
	var file bytes.Buffer
	made := &gif.GIF{Config: image.Config{Width: 9, Height: 7, ColorModel: color.Palette(palette.Plan9)}}
	for i := range 3 {
		frame := image.NewPaletted(image.Rect(i, i, 9, 7), palette.Plan9[:16<<i])
		made.Image, made.Delay = append(made.Image, frame), append(made.Delay, 5)
	}
	require.NoError(t, gif.EncodeAll(&file, made))
	root := openWithoutErrors(t, gifDescription, file.Bytes()).Root()
	assert.Equal(t, "9", valueTextAt(t, root, "width"))
	assert.Equal(t, "7", valueTextAt(t, root, "height"))
	var places []string
	for i := range root.ChildNamed("blocks").Len() {
		if block := root.ChildNamed("blocks").Child(i); valueTextAt(t, block, "kind") == "image (44)" {
			places = append(places, valueTextAt(t, block, "body/place"))
		}
	}
	assert.Equal(t, []string{"[0, 0, 9, 7]", "[1, 1, 8, 6]", "[2, 2, 7, 5]"}, places)
}

func TestFontAndCompressedFileAgreeWithOtherReaders(t *testing.T) {
	font, err := sfnt.Parse(goregular.TTF)
	require.NoError(t, err)
	tables := openWithoutErrors(t, fontDescription, goregular.TTF).Root().ChildNamed("tables")
	for i := range tables.Len() {
		table := tables.Child(i)
		switch table.Label() {
		case "head":
			assert.Equal(t, strconv.Itoa(int(font.UnitsPerEm())), valueTextAt(t, table, "body/units"))
		case "name":
			records := table.ChildNamed("body").ChildNamed("records")
			assert.Positive(t, records.Len())
			for k := range records.Len() {
				id, err := strconv.Atoi(valueTextAt(t, records.Child(k), "id"))
				require.NoError(t, err)
				want, err := font.Name(nil, sfnt.NameID(id))
				require.NoError(t, err)
				assert.Equal(t, want, records.Child(k).ChildNamed("text").ChildNamed("value").Value)
			}
		}
	}

	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	z.Name, z.Comment = "größe.txt", "a comment"
	_, err = z.Write(bytes.Repeat([]byte("text "), 100))
	require.NoError(t, err)
	require.NoError(t, z.Close())
	d := openWithoutErrors(t, gzipDescription, packed.Bytes())
	assert.Equal(t, z.Name, valueTextAt(t, d.Root(), "name"))
	assert.Equal(t, z.Comment, valueTextAt(t, d.Root(), "comment"))
	assert.Equal(t, "500", valueTextAt(t, d.Root(), "size"))
}

func TestDevicesAndLargeDescriptionsAreRefused(t *testing.T) {
	folder := t.TempDir()
	path := func(name string) string { return filepath.Join(folder, name+".ksy") }
	require.NoError(t, syscall.Mkfifo(path("pipe"), 0o600))
	require.NoError(t, os.Symlink("/dev/zero", path("device")))
	require.NoError(t, os.WriteFile(path("large"), nil, 0o600))
	require.NoError(t, os.Truncate(path("large"), model.MaxDescription+1))
	for name, want := range map[string]string{"pipe": "is a pipe", "device": "is a device", "large": "has 4194305 bytes"} {
		_, err := (&Library{}).Load(path(name))
		require.ErrorContains(t, err, want, name)
		var at model.LocationError
		require.ErrorAs(t, err, &at, name)
		text := "meta: {id: main, imports: [" + name + "]}\nseq: [{id: a, type: " + name + "}]"
		require.NoError(t, os.WriteFile(path("main"), []byte(text), 0o600))
		_, err = (&Library{ImportsAnywhere: true}).Load(path("main"))
		assert.ErrorContains(t, err, want, "imported "+name)
	}
}
