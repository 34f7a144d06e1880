package content

import (
	"context"
	"image/color"
	"io"
	"math"
	"slices"
	"strings"

	"assay/model"
	"assay/model/picture"
)

// Properties is the view of a node that is not drawn: a table of its fields.
type Properties struct {
	Node    *model.Node
	Current int // the field that is selected; -1: the node itself is
}

// ViewKind implements model.View.
func (*Properties) ViewKind() model.ViewKind { return model.PropertiesView }

const (
	maxTableString = 64 // bytes of a text that a table shows
	maxTableArray  = 16 // numbers of an array that it shows
	maxTableFields = 1 << 30
)

// PropertiesOf returns the table of a node's fields, or the table with the node as a field; nil for bytes, and for
// values that do not fit into a table.
func PropertiesOf(n *model.Node) *Properties {
	switch {
	case n.Len() > maxTableFields:
		return nil
	case !n.Leaf():
		return &Properties{Node: n, Current: -1}
	case n.Parent == nil || n.Parent.Len() > maxTableFields:
		return nil
	}
	switch v := n.Value.(type) {
	case nil:
		if n.Symbol() == "" && n.Size > 0 {
			return nil
		}
	case string:
		if len(v) > maxTableString || strings.ContainsAny(v, "\r\n") {
			return nil
		}
	case model.Array:
		if v.Len() > maxTableArray {
			return nil
		}
	}
	return &Properties{Node: n.Parent, Current: n.Index}
}

const (
	maxCounted = 64 << 20 // bytes that are counted
	maxParts   = 512      // parts of them with an entropy each
	minString  = 5        // characters of a string that is listed
	maxString  = 200      // displayed characters of a string
	maxStrings = 2000
)

// Bytes is the view of bytes of unknown type.
type Bytes struct {
	Span    model.Span
	Counted int64         // number of bytes counted
	Counts  [256]int64    // of each value
	Entropy []float32     // bits a byte of each part, in order
	Step    int64         // bytes of a part
	Strings []FoundString // runs of letters
	More    bool          // there are more strings
	Broken  error         // why the content cannot be displayed by its kind; nil if its type is unknown
}

// FoundString is a string in bytes.
type FoundString struct {
	Offset int64
	Text   string
}

// ViewKind implements model.View.
func (*Bytes) ViewKind() model.ViewKind { return model.BytesView }

// TotalEntropy returns the entropy of all counted bytes, in bits a byte.
func (b *Bytes) TotalEntropy() float64 { return entropy(&b.Counts, b.Counted) }

// ReadBytes reads bytes of a source.
func ReadBytes(ctx context.Context, src *model.Source, span model.Span) (*Bytes, error) {
	b := &Bytes{Span: span, Counted: max(0, min(span.Size, maxCounted, src.Size()-span.Offset))}
	b.Step = max(64, (b.Counted+maxParts-1)/maxParts)
	r := src.Reader(model.Span{Offset: span.Offset, Size: b.Counted})
	buffer := make([]byte, b.Step)
	found := stringFinder{offset: span.Offset}
	for offset := int64(0); offset < b.Counted; offset += b.Step {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		p := buffer[:min(b.Step, b.Counted-offset)]
		if _, err := io.ReadFull(r, p); err != nil {
			return nil, err
		}
		var counts [256]int64
		for _, v := range p {
			counts[v]++
		}
		for v, n := range counts {
			b.Counts[v] += n
		}
		b.Entropy = append(b.Entropy, float32(entropy(&counts, int64(len(p)))))
		found.addBytes(p)
	}
	found.endRun()
	b.Strings, b.More = found.found, found.truncated
	return b, nil
}

// entropy is Shannon's, in bits a byte.
func entropy(counts *[256]int64, n int64) float64 {
	h := 0.0
	for _, c := range counts {
		if c > 0 {
			p := float64(c) / float64(n)
			h -= p * math.Log2(p)
		}
	}
	return h
}

// stringFinder finds strings.
type stringFinder struct {
	offset    int64 // of the next byte
	from      int64
	run       []byte
	runLength int
	found     []FoundString
	truncated bool
}

func (f *stringFinder) addBytes(p []byte) {
	for _, c := range p {
		if c >= 0x20 && c < 0x7f || c == '\t' {
			if f.runLength == 0 {
				f.from = f.offset
			}
			if f.runLength++; len(f.run) < maxString {
				f.run = append(f.run, c)
			}
		} else if f.runLength > 0 {
			f.endRun()
		}
		f.offset++
	}
}

func (f *stringFinder) endRun() {
	if f.runLength >= minString {
		if len(f.found) < maxStrings {
			f.found = append(f.found, FoundString{f.from, string(f.run)})
		} else {
			f.truncated = true
		}
	}
	f.run, f.runLength = f.run[:0], 0
}

// Sheet is the view of several assets of a document, each to be drawn small, with its name.
type Sheet struct {
	Document *model.Document
	Assets   []int    // their positions among the payloads: pictures, then the others, each in the file's order
	Names    []string // of each
	Total    int      // assets in all
	Marks    []Mark   // of each; may be nil
}

// Mark is a mark of an asset on a sheet, beside its name; its zero value is no mark.
type Mark struct {
	Word  string
	Color color.NRGBA
}

// ViewKind implements model.View.
func (*Sheet) ViewKind() model.ViewKind { return model.SheetView }

// maxSheet is the maximum number of assets on a sheet.
const maxSheet = 100_000

// SheetOf lists the assets of a document; nil if there are none, or a single one that is not in a package.
func SheetOf(ctx context.Context, d *model.Document) (*Sheet, error) {
	if d.Payloads == nil || d.Payloads.Len() == 0 || d.Payloads.Len() == 1 && !d.IsPackage {
		return nil, nil
	}
	total := d.Payloads.Len()
	var b sheetBuilder
	err := model.DescribeEach(ctx, d.Payloads, 0, min(total, maxSheet), func(i int, p *model.Payload) bool {
		b.add(i, p)
		return true
	})
	if err != nil {
		return nil, err
	}
	return b.sheet(d, total), nil
}

// SheetOfAssets lists some assets of a document, by their positions among its payloads.
func SheetOfAssets(ctx context.Context, d *model.Document, assets []int) (*Sheet, error) {
	var b sheetBuilder
	for _, i := range assets[:min(len(assets), maxSheet)] {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if p := d.Payloads.At(i); p != nil {
			b.add(i, p)
		}
	}
	return b.sheet(d, len(assets)), nil
}

// sheetBuilder sorts pictures before other assets.
type sheetBuilder struct{ pictures, others Sheet }

func (b *sheetBuilder) add(i int, p *model.Payload) {
	list := &b.others
	if strings.HasPrefix(p.MediaType, "image/") || picture.HasExtension(p.Name) {
		list = &b.pictures
	}
	list.Assets = append(list.Assets, i)
	list.Names = append(list.Names, strings.ReplaceAll(p.Name, `\`, "/"))
}

func (b *sheetBuilder) sheet(d *model.Document, total int) *Sheet {
	return &Sheet{Document: d, Total: total, Assets: slices.Concat(b.pictures.Assets, b.others.Assets),
		Names: slices.Concat(b.pictures.Names, b.others.Names)}
}
