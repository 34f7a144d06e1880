package ppac

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"path"
	"strings"

	"assay/formats/decode"
	"assay/model"
	"assay/model/content"
)

// payloads are the assets in the order of the index.
type payloads struct{ f *File }

// Len returns the number of index entries.
func (p payloads) Len() int { return p.f.entries.n }

// At describes the asset of the i-th index entry. It reads its metadata and the beginning of its content.
func (p payloads) At(i int) *model.Payload {
	out := &model.Payload{Node: p.f.index.list.Child(i)}
	d := p.f.newDescriber()
	p.f.quiet.borrow(func(quiet *decode.Cursor) {
		d.describe(context.Background(), quiet, out, i, p.f.entries.entry(i))
	})
	return out
}

// DescribeEach describes assets in the order of the index. Of assets with a file name it reads only the content that
// proves their codec, and it detects no media type.
func (p payloads) DescribeEach(ctx context.Context, from, to int, each func(i int, out *model.Payload) bool) error {
	d, quiet := p.f.newDescriber(), p.f.cursor.Quiet(model.Span{})
	d.brief = true
	var out model.Payload
	for i, x := range p.f.entries.inRange(ctx, from, to) {
		out = model.Payload{}
		if d.describe(ctx, quiet, &out, i, *x); !each(i, &out) {
			return nil
		}
	}
	return ctx.Err()
}

// VerifyEach compares assets with the index. Small ones are read in sequence.
func (p payloads) VerifyEach(ctx context.Context, from, to int,
	each func(i int, v model.Verdict, why string, err error)) error {
	quiet := p.f.cursor.Quiet(model.Span{})
	for i, x := range p.f.entries.inRange(ctx, from, to) {
		v, why, err := p.f.verifyEntry(ctx, quiet, i, x)
		if ctx.Err() != nil {
			break
		}
		each(i, v, why, err)
	}
	return ctx.Err()
}

// verifyEntry compares an asset with the i-th index entry, and returns the reason if they disagree.
func (f *File) verifyEntry(ctx context.Context, quiet *decode.Cursor, i int, x *Entry) (model.Verdict, string, error) {
	span, err := f.Locate(x)
	if err != nil {
		return model.Unknown, err.Error(), nil
	}
	quiet.Reset(span)
	loaded := load(quiet, span, maxSmall)
	a, _ := f.readAsset(quiet, i, x, span)
	if a.fit == fitNot {
		return model.Unknown, a.misfitText(), nil
	}
	r, err := a.check(ctx, loaded, unbounded)
	if err != nil || r.overall() == model.Valid {
		return r.overall(), "", err
	}
	return r.overall(), a.sentence(r), nil
}

// describer describes assets one after the other.
type describer struct {
	f      *File
	asset  Asset // the present one
	brief  bool  // an asset with a file name gets no media type
	open   func(context.Context) (io.ReadCloser, error)
	verify func(context.Context) (model.Verdict, string, error)

	detectedStart []byte       // the content's beginning at the last type detection
	detected      content.Type // its type; empty before the first detection
}

func (f *File) newDescriber() *describer {
	d := &describer{f: f}
	d.open = func(ctx context.Context) (io.ReadCloser, error) { return d.asset.open(ctx) }
	d.verify = func(ctx context.Context) (model.Verdict, string, error) { return d.asset.Verify(ctx) }
	return d
}

// describe sets the fields of out for the asset of the i-th index entry: key, type, name, size, codec, media type.
func (d *describer) describe(ctx context.Context, quiet *decode.Cursor, out *model.Payload, i int, x Entry) {
	f := d.f
	out.Key, out.Type, out.Size = x.TPU.String(), typeName(x.Type), -1
	span, err := f.Locate(&x)
	if err != nil {
		describeMissing(out, &x, err.Error())
		return
	}
	quiet.Reset(span)
	if d.asset, _ = f.readAsset(quiet, i, &x, span); d.asset.fit == fitNot {
		describeMissing(out, &x, d.asset.misfitText())
		return
	}
	if f.Layout.Later {
		out.Name = f.filenameOf(quiet, x.TPU)
	} else {
		out.Name = d.asset.Filename
		if t, ok := timeOf(d.asset.Modified); ok {
			out.ModTime = t
		}
	}
	out.Stored, out.Open, out.Verify = d.asset.Data, d.open, d.verify
	d.describeContent(ctx, quiet, out, strings.Trim(out.Name, "/. ") != "")
}

// describeMissing sets out to a payload that has no content, only a problem.
func describeMissing(out *model.Payload, x *Entry, problem string) {
	out.Problem = problem
	out.Name = out.Key + extensionOf(x.Type, content.Type{})
	failure := fmt.Errorf("ppac: %s: %s", out.Key, problem)
	out.Open = func(context.Context) (io.ReadCloser, error) { return nil, failure }
	out.Verify = func(context.Context) (model.Verdict, string, error) { return model.Unknown, problem, nil }
}

// describeContent sets the codec, the size and the forms, and the media type that the first bytes of the content show.
// An asset without a file name gets one of its TPU and that type.
func (d *describer) describeContent(ctx context.Context, quiet *decode.Cursor, out *model.Payload, named bool) {
	x := &d.asset.Entry
	buf := copyBuffers.Get().(*[]byte)
	defer copyBuffers.Put(buf)
	var kind codec
	var start []byte
	if named && d.brief {
		kind = d.asset.detectCodec(ctx, d.asset.storedStart(quiet, markSize), listProof)
	} else {
		kind, start = d.asset.codecAndStart(ctx, d.asset.storedStart(quiet, headSize), (*buf)[:headSize])
	}
	out.Codec = kind.String()
	var detected content.Type
	switch {
	case kind == unknownCodec:
		out.Codec = fmt.Sprintf("unknown (%d)", x.Compression)
		out.Problem = unexpandedReason(x.Compression)
	case len(start) > 0: // an empty asset has no view
		detected = d.typeOf(start)
		out.MediaType = detected.Media
	}
	if !named {
		out.Name = out.Key + extensionOf(x.Type, detected)
	}
	out.Recorded = otherType(x.Type, out.Name)
	if kind == notCompressed {
		out.Size = d.asset.Data.Size
	}
	if kind.expands() {
		d.describeStream(out, kind)
	}
}

// unexpandedReason returns the reason why the stored bytes of an asset are exported unchanged.
func unexpandedReason(compression uint32) string {
	if compression == Deflate {
		return "not a zlib, gzip, or raw deflate stream; exported without decompressing"
	}
	return fmt.Sprintf("unknown compression %d; exported without decompressing", compression)
}

// describeStream sets the size that the index has of the expanded content, if it can be, and the forms.
func (d *describer) describeStream(out *model.Payload, kind codec) {
	if size := d.asset.Entry.MemorySize; d.f.Layout.hasMemorySize() && size/maxDeflate <= uint64(d.asset.Data.Size) {
		out.Size = int64(size)
	}
	out.Forms = []model.Form{{Name: "raw"}, {Name: "stored", Extension: kind.extension(),
		MediaType: "application/octet-stream", Write: d.writeStored}}
}

// typeOf returns the type of content that begins with start. Copies, which are usually adjacent, are examined once.
func (d *describer) typeOf(start []byte) content.Type {
	if bytes.HasPrefix(start, magic) {
		return content.Type{Media: "application/x-ppac", Extension: ".pac"}
	}
	if d.detected.Media == "" || !bytes.Equal(start, d.detectedStart) {
		d.detected, d.detectedStart = content.TypeOf(start), append(d.detectedStart[:0], start...)
	}
	return d.detected
}

// writeStored writes the stored bytes of a compressed asset.
func (d *describer) writeStored(ctx context.Context, w io.Writer) error {
	_, err := io.Copy(w, d.f.Part(ctx, d.asset.Data))
	return err
}

// extensionOf returns the extension for an asset without a file name: of its content, else of its registered type,
// unless the content contradicts that type.
func extensionOf(id uint16, detected content.Type) string {
	registered, ok := Extensions[uint64(id)]
	switch {
	case detected.Extension == ".txt" && ok && isText(registered): // more precise than that it is a text
		return "." + registered
	case detected.Extension != "":
		return detected.Extension
	case !ok, detected.Media != "" && !isUnmarked(registered):
		return ".bin"
	}
	return "." + registered
}

// otherType returns the extension of a registered type if a name has one of another type; else nothing.
func otherType(id uint16, name string) string {
	registered, ok := Extensions[uint64(id)]
	if !ok || registered == "bin" || strings.HasSuffix(name, "."+registered) {
		return ""
	}
	typ, _ := TypeOf(path.Ext(name))
	if Extensions[uint64(typ)] == registered || strings.Contains(name, "."+registered+".") { // basic.vert.glsl
		return ""
	}
	return registered
}

const (
	maxViewedEntries = 100_000  // containers with more entries do not display changed assets
	maxViewSize      = 16 << 20 // bytes of a displayed asset
)

// describeNode describes the content of an entry as an asset, with its type and its view.
func (f *File) describeNode(n *model.Node) (model.Item, bool) {
	tpu, ok := ParseTPU(n.Key)
	if n.Parent != f.assets.node || !ok {
		return model.Item{}, false
	}
	t := model.Item{Kind: "asset", Group: typeName(tpu.Type), Bytes: n.Size}
	if f.entries.n <= maxViewedEntries {
		t.Content = func(ctx context.Context) (any, error) { return f.view(ctx, f.assets.recordOf(n.Index)) }
	}
	return t, true
}

// view returns the view of the asset of the i-th index entry, if its type has one.
func (f *File) view(ctx context.Context, i int) (any, error) {
	p := payloads{f}.At(i)
	if !content.HasView(p.MediaType) || p.Size > maxViewSize || p.Problem != "" {
		return nil, nil
	}
	src, err := p.Nested(ctx, f.Source, maxViewSize)
	if err != nil {
		return nil, err
	}
	return content.View(ctx, src)
}

// cells are the values of an index entry that the columns of the table show.
var cells = []func(x *Entry) any{
	func(x *Entry) any { return x.TPU.String() },
	func(x *Entry) any { return typeLabel(x.Type) },
	func(x *Entry) any { return uint64(x.Purpose) },
	func(x *Entry) any { return uint64(x.Unique) },
	func(x *Entry) any { return x.Size },
	func(x *Entry) any { return x.Location },
	func(x *Entry) any { return uint64(x.Compression) },
	func(x *Entry) any { return x.MemorySize },
}

// table returns the index as rows and columns, to sort and to filter.
func (f *File) table(context.Context) (*model.Table, error) {
	number := func(name string) model.Column {
		return model.Column{Name: name, Type: "integer", Numeric: true, IsOptional: true}
	}
	purpose := number("purpose")
	purpose.IsGroupable = true
	t := &model.Table{Rows: int64(f.entries.n), Columns: []model.Column{{Name: "TPU", Type: "TPU"},
		{Name: "type", Type: "type"}, purpose, number("unique"), number("size"), number("location"),
		number("compression")}}
	if f.Layout.hasMemorySize() {
		t.Columns = append(t.Columns, number("memory size"))
	}
	t.Cell = func(row int64, column int) any {
		x := f.entries.entry(int(row))
		return cells[column](&x)
	}
	t.Path = func(row int64) model.Path { return f.entryPath(int(row)) }
	t.Scan = func(ctx context.Context, columns []int, each func(int64, []any) error) error {
		row := make([]any, len(columns))
		for i, x := range f.Entries(ctx) {
			for k, c := range columns {
				row[k] = cells[c](x)
			}
			if err := each(int64(i), row); err != nil {
				return err
			}
		}
		return cmp.Or(ctx.Err(), f.Source.Err())
	}
	return t, nil
}

// byType groups the index by the assets' types.
func (f *File) byType(ctx context.Context) (*model.Node, error) {
	return f.group(ctx, "Index by type", func(t TPU) uint16 { return t.Type }, typeLabel)
}

// byPurpose groups the index by the purpose of the assets.
func (f *File) byPurpose(ctx context.Context) (*model.Node, error) {
	return f.group(ctx, "Index by purpose", func(t TPU) uint16 { return t.Purpose },
		func(id uint16) string { return fmt.Sprintf("%04X", id) })
}

// group returns a tree of the index entries by an ID: a group for each, with leaves that link to the entries.
func (f *File) group(ctx context.Context, name string, id func(TPU) uint16,
	label func(uint16) string) (*model.Node, error) {
	groups := make([][]uint32, 1<<16) // the entries of each ID
	for i, x := range f.Entries(ctx) {
		v := id(x.TPU)
		groups[v] = append(groups[v], uint32(i))
	}
	if err := cmp.Or(ctx.Err(), f.Source.Err()); err != nil {
		return nil, err
	}
	root := &model.Node{Name: name, Type: "Index", Span: f.index.span}
	var nodes model.List
	for v, entries := range groups {
		if len(entries) > 0 {
			nodes = append(nodes, f.groupNode(label(uint16(v)), entries))
		}
	}
	root.SetChildren(nodes)
	return root, nil
}

func (f *File) groupNode(name string, entries []uint32) *model.Node {
	g := &model.Node{Name: name, Type: "IndexEntry[]", Key: name, Span: f.index.span,
		Symbols: model.Symbol(fmt.Sprintf("%d entries", len(entries)))}
	g.SetChildren(&model.Elements{Count: len(entries), Make: func(k int) *model.Node {
		i := int(entries[k])
		x := f.entries.entry(i)
		key := x.TPU.String()
		n := &model.Node{Type: "IndexEntry", Key: key, Span: f.entries.span(i), Symbols: model.Symbol(key), Parent: g,
			Link: &model.Link{Key: key,
				Target: func() (model.Path, bool) { return f.entryPath(i), true }}}
		n.SetLabel(func() string { return f.Label(i) })
		return n
	}})
	return g
}
