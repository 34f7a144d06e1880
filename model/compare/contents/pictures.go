package contents

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"image"
	"image/color"
	"slices"
	"strings"
	"sync"

	"assay/model"
	"assay/model/compare"
	"assay/model/content"
)

// PictureSummary returns the changes between two pictures as a sentence.
func PictureSummary(old, new image.Image) string {
	return cmp.Or(strings.Join(imageChanges(old, new).Texts(), ", "), "all pixels identical")
}

// partsCompared is the maximum number of compared pictures of a picture.
const partsCompared = 64

// pictureChanges returns the changes between two pictures with all their images: frames, mip levels, font sizes.
func pictureChanges(ctx context.Context, old, new model.Picture) (Changes, error) {
	s := imageChanges(old.Image, new.Image)
	// The sizes of a font are listed by their names.
	if a, b := len(old.Parts), len(new.Parts); a != b && new.Lines == nil {
		s.add(PartChange{How: Stated, Field: fmt.Sprintf("%s, was %d", model.Count(max(1, b), "picture"), max(1, a))})
	}
	extra := 0
	for i, to := range new.Parts[:min(len(new.Parts), partsCompared)] {
		from := slices.IndexFunc(old.Parts, func(p model.Part) bool { return p.Name == to.Name })
		if i == 0 || from <= 0 || to.Load == nil || old.Parts[from].Load == nil {
			continue // the first is the default
		}
		a, errA := old.Parts[from].Load(ctx)
		b, errB := to.Load(ctx)
		if err := cmp.Or(errA, errB); err != nil {
			return s, err
		}
		inside := imageChanges(a, b)
		switch {
		case len(inside) == 0:
		case len(s) == 0:
			s.add(PartChange{Field: to.Name, Inside: inside})
		default:
			extra++
		}
	}
	if extra > 0 {
		s.add(PartChange{How: Changed, Field: model.Count(extra, "more picture") + " in it"})
	}
	return s, nil
}

// imageChanges returns the changes between two images.
func imageChanges(old, new image.Image) (s Changes) {
	a, b := old.Bounds(), new.Bounds()
	p, ok := ComparePictures(old, new)
	switch r := p.Region; {
	case !ok:
		s.add(PartChange{How: Stated, Field: fmt.Sprintf("size %[3]d × %[4]d → %[1]d × %[2]d pixels", b.Dx(), b.Dy(), a.Dx(), a.Dy())})
	case p.Changed > 0:
		s.add(PartChange{How: Changed, Field: "pixels", N: p.Changed, All: int64(a.Dx()) * int64(a.Dy()),
			Note: fmt.Sprintf("maximum difference %d of 255", p.Largest)})
		if r.Dx() < a.Dx() || r.Dy() < a.Dy() {
			s.add(PartChange{How: Stated, Field: fmt.Sprintf("within %d × %d at (%d, %d)", r.Dx(), r.Dy(), r.Min.X, r.Min.Y)})
		}
	}
	return s
}

// Pixels has the differences between two pictures of one size.
type Pixels struct {
	Changed int64           // pixels
	Largest int             // difference of a channel, of 255
	Region  image.Rectangle // around the changes, from the upper left corner on
}

// ComparePictures compares two pictures, and returns false if their sizes differ.
func ComparePictures(old, new image.Image) (p Pixels, ok bool) {
	if old.Bounds().Size() != new.Bounds().Size() {
		return p, false
	}
	return (&difference{old: newBitmap(old), new: newBitmap(new)}).compare(), true
}

// Difference returns the absolute difference of two pictures, channel by channel, times factor. Pixels of only one
// picture are unchanged in it. Equal pixels are black, and pixels that differ only in opacity are magenta.
func Difference(old, new image.Image, factor int) (*image.NRGBA, Pixels) {
	p := &difference{old: newBitmap(old), new: newBitmap(new), factor: factor}
	p.out = image.NewNRGBA(image.Rect(0, 0, max(p.old.width, p.new.width), max(p.old.height, p.new.height)))
	return p.out, p.compare()
}

// difference compares two pictures, and makes one of the differences if out is not nil.
type difference struct {
	old, new *bitmap
	out      *image.NRGBA
	factor   int
}

// compare compares all rows, as many at once as there are processors.
func (p *difference) compare() (total Pixels) {
	var mu sync.Mutex
	model.Bands(max(p.old.height, p.new.height), func(from, to int) {
		var f Pixels
		for y := from; y < to; y++ {
			p.compareRow(y, &f)
		}
		mu.Lock()
		defer mu.Unlock()
		total.Changed += f.Changed
		total.Largest = max(total.Largest, f.Largest)
		total.Region = total.Region.Union(f.Region)
	})
	return total
}

// compareRow compares a row, and adds its differences to found.
func (p *difference) compareRow(y int, found *Pixels) {
	a, b := p.old.row(y), p.new.row(y)
	var to []byte
	if p.out != nil {
		to = p.out.Pix[y*p.out.Stride:][:4*p.out.Rect.Dx()]
		for i := 3; i < len(to); i += 4 {
			to[i] = 255
		}
	}
	if a != nil && p.old.pixelSize == p.new.pixelSize && bytes.Equal(a, b) {
		return
	}
	first, last := -1, -1
	fourBytes := a != nil && b != nil && p.old.pixelSize == 4 && p.new.pixelSize == 4
	for x := range max(p.old.width, p.new.width) {
		var d [4]int
		differs := false
		if fourBytes && x < p.old.width && x < p.new.width {
			d, differs = byteDifference(a[4*x:4*x+4:4*x+4], b[4*x:4*x+4:4*x+4])
		} else {
			d, differs = wideDifference(p.old.pixelAt(a, x, y), p.new.pixelAt(b, x, y))
		}
		if !differs {
			continue
		}
		if first < 0 {
			first = x
		}
		last = x
		found.Changed++
		found.Largest = max(found.Largest, d[0], d[1], d[2], d[3])
		if to != nil {
			if d[0]|d[1]|d[2] == 0 { // only the opacity differs
				d[0], d[2] = d[3], d[3]
			}
			for c := range 3 {
				to[4*x+c] = uint8(min(255, p.factor*d[c]))
			}
		}
	}
	if first >= 0 {
		found.Region = found.Region.Union(image.Rect(first, y, last+1, y+1))
	}
}

// byteDifference returns the difference of two pixels of 8 bits a channel.
func byteDifference(u, v []byte) (d [4]int, differs bool) {
	if binary.NativeEndian.Uint32(u) == binary.NativeEndian.Uint32(v) {
		return d, false
	}
	for c := range d {
		e := int(u[c]) - int(v[c])
		d[c] = max(e, -e)
	}
	return d, true
}

// wideDifference returns the difference of two pixels of 16 bits a channel, of 255.
func wideDifference(u, v [4]uint16) (d [4]int, differs bool) {
	for c := range d {
		d[c] = int(max(u[c], v[c])-min(u[c], v[c])) >> 8
	}
	return d, u != v
}

// bitmap reads the pixels of a picture. Pixels that are stored as bytes are in pix, each in pixelSize bytes; others are
// read one by one.
type bitmap struct {
	image.Image
	pix           []byte
	stride        int
	pixelSize     int
	width, height int
}

func newBitmap(img image.Image) *bitmap {
	size := img.Bounds().Size()
	b := &bitmap{Image: img, width: size.X, height: size.Y}
	switch o := img.(type) {
	case *image.NRGBA:
		b.pix, b.stride, b.pixelSize = o.Pix, o.Stride, 4
	case *image.RGBA:
		if o.Opaque() {
			b.pix, b.stride, b.pixelSize = o.Pix, o.Stride, 4
		}
	case *image.Gray:
		b.pix, b.stride, b.pixelSize = o.Pix, o.Stride, 1
	}
	return b
}

// row returns the bytes of a row; nil if they are not stored so.
func (b *bitmap) row(y int) []byte {
	if b.pix == nil || y >= b.height {
		return nil
	}
	return b.pix[y*b.stride:][:b.pixelSize*b.width]
}

// pixelAt returns a pixel with 16 bits a channel, not multiplied by its opacity; nothing outside the picture. row is
// its row.
func (b *bitmap) pixelAt(row []byte, x, y int) [4]uint16 {
	switch {
	case x >= b.width || y >= b.height:
		return [4]uint16{}
	case row == nil:
		min := b.Bounds().Min
		c := color.NRGBA64Model.Convert(b.At(min.X+x, min.Y+y)).(color.NRGBA64)
		return [4]uint16{c.R, c.G, c.B, c.A}
	case b.pixelSize == 1:
		v := uint16(row[x]) * 0x101
		return [4]uint16{v, v, v, 0xffff}
	}
	p := row[4*x : 4*x+4 : 4*x+4]
	return [4]uint16{uint16(p[0]) * 0x101, uint16(p[1]) * 0x101, uint16(p[2]) * 0x101, uint16(p[3]) * 0x101}
}

// OnGray returns new without its colors, covered with ink where old, of the same size, has another color. The larger
// the difference times factor, the stronger the ink, which is always visible.
func OnGray(old, new *image.NRGBA, factor int, ink color.NRGBA) *image.NRGBA {
	const weakest = 80
	diff, _ := Difference(old, new, factor)
	out := image.NewNRGBA(diff.Rect)
	model.Bands(diff.Rect.Dy(), func(from, to int) {
		for i := from * out.Stride; i < to*out.Stride; i += 4 {
			d, p := diff.Pix[i:i+4:i+4], new.Pix[i:i+4:i+4]
			gray := (299*int(p[0]) + 587*int(p[1]) + 114*int(p[2])) / 1000
			share := int(max(d[0], d[1], d[2]))
			if share > 0 {
				share = max(share, weakest)
			}
			for c, v := range [3]uint8{ink.R, ink.G, ink.B} {
				out.Pix[i+c] = uint8((gray*(255-share) + int(v)*share) / 255)
			}
			out.Pix[i+3] = 255
		}
	})
	return out
}

const (
	regionCell = 8    // pixels of the side of a cell: differences in adjacent cells are one region
	maxRegions = 1000 // regions of two pictures: more are too many to step through
)

// Regions returns the first maxRegions different rectangles of two pictures, from the top down.
func Regions(old, new image.Image) (rectangles []image.Rectangle) {
	p := &difference{old: newBitmap(old), new: newBitmap(new)}
	width, height := max(p.old.width, p.new.width), max(p.old.height, p.new.height)
	columns := (width + regionCell - 1) / regionCell
	// The bounds of the differences in each cell.
	cells := make([]image.Rectangle, columns*((height+regionCell-1)/regionCell))
	for y := range height {
		a, b := p.old.row(y), p.new.row(y)
		sameStorage := a != nil && b != nil && p.old.pixelSize == p.new.pixelSize
		if sameStorage && bytes.Equal(a, b) {
			continue
		}
		for x := range width {
			if offset := x * p.old.pixelSize; sameStorage && x < p.old.width && x < p.new.width {
				if bytes.Equal(a[offset:offset+p.old.pixelSize], b[offset:offset+p.old.pixelSize]) {
					continue
				}
			}
			if _, differs := wideDifference(p.old.pixelAt(a, x, y), p.new.pixelAt(b, x, y)); differs {
				c := &cells[y/regionCell*columns+x/regionCell]
				*c = c.Union(image.Rect(x, y, x+1, y+1))
			}
		}
	}
	for i := range cells {
		if cells[i].Empty() {
			continue
		}
		if len(rectangles) == maxRegions {
			break
		}
		rectangles = append(rectangles, takeRegion(cells, columns, i))
	}
	slices.SortStableFunc(rectangles, func(a, b image.Rectangle) int { return a.Min.Y - b.Min.Y })
	return rectangles
}

// takeRegion returns the region of a cell and its touching cells, and empties them.
func takeRegion(cells []image.Rectangle, columns, from int) (union image.Rectangle) {
	todo := []int{from}
	for len(todo) > 0 {
		i := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if cells[i].Empty() {
			continue
		}
		union, cells[i] = union.Union(cells[i]), image.Rectangle{}
		x, y := i%columns, i/columns
		for dy := -1; dy <= 1; dy++ {
			for dx := -1; dx <= 1; dx++ {
				if u, v := x+dx, y+dy; u >= 0 && u < columns && v >= 0 && v*columns+u < len(cells) {
					todo = append(todo, v*columns+u)
				}
			}
		}
	}
	return union
}

// maxStatuses is the largest number of assets that are recorded by status.
const maxStatuses = 1 << 16

// MarkSheet returns the sheet of the assets of one side with the state of each. Assets that changed come first, then
// assets on this side only, then the others.
func MarkSheet(ctx context.Context, c *compare.Comparison, s *content.Sheet) (*content.Sheet, error) {
	old := s.Document == c.Old
	statusByKey := make(map[string]compare.Status) // of nodes: an asset and its entry in an index have one key
	err := c.Rows(func(p *compare.Pair) error {
		node := p.New
		if old {
			node = p.Old
		}
		if node != nil && node.Key != "" && len(statusByKey) < maxStatuses &&
			(statusByKey[node.Key] == compare.Same || p.Status == compare.Changed) {
			statusByKey[node.Key] = p.Status
		}
		return ctx.Err()
	})
	if err != nil || len(statusByKey) == 0 {
		return s, err
	}
	statuses := make([]compare.Status, len(s.Assets))
	for i, asset := range s.Assets {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if a := s.Document.Payloads.At(asset); a != nil && a.Node != nil {
			statuses[i] = statusByKey[a.Node.Key]
		}
	}
	order := make([]int, len(s.Assets))
	for i := range order {
		order[i] = i
	}
	rank := map[compare.Status]int{compare.Changed: 0, compare.Moved: 0, compare.Added: 1, compare.Removed: 1,
		compare.Same: 2}
	slices.SortStableFunc(order, func(i, j int) int {
		if d := rank[statuses[i]] - rank[statuses[j]]; d != 0 || statuses[i] == compare.Same {
			return d
		}
		return strings.Compare(s.Names[i], s.Names[j])
	})
	out := &content.Sheet{Document: s.Document, Total: s.Total}
	for _, i := range order {
		out.Assets = append(out.Assets, s.Assets[i])
		out.Names = append(out.Names, s.Names[i])
		mark := content.Mark{}
		if statuses[i] != compare.Same {
			mark = content.Mark{Word: statuses[i].String(), Color: statuses[i].Color(compare.OnScene)}
		}
		out.Marks = append(out.Marks, mark)
	}
	return out, nil
}
