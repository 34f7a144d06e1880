// Package contents compares the contents of items: two meshes, skins, animations, pictures, sounds or texts. A change
// is data, a PartChange, and PartChange.String returns it as text.
//
// Two images are compared pixel by pixel. Two scenes are compared, and changes are colored in copies of both. Two lists
// are compared as one table, with a row for each element of either. Two texts are compared line by line, and two lines
// word by word.
package contents

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"

	"github.com/dustin/go-humanize/english"

	"assay/model"
	"assay/model/compare"
	"assay/model/scene"
	"assay/model/sound"
	"assay/model/text"
)

// asBoth returns two contents as values of type T. ok is false unless both are.
func asBoth[T any](old, new any) (o, n T, ok bool) {
	o, isOld := old.(T)
	n, isNew := new.(T)
	return o, n, isOld && isNew
}

// Options select the differences to ignore.
type Options struct {
	// Tolerance is the ignored difference of two numbers, absolute or as a share of the larger one.
	Tolerance float64
	// Texts are the rules for texts.
	Texts compare.TextRules
}

// IsNear reports whether two numbers are as near to one another as the tolerance allows.
func (o Options) IsNear(a, b float64) bool {
	return o.Tolerance > 0 && math.Abs(a-b) <= o.Tolerance*max(1, math.Abs(a), math.Abs(b))
}

// Compare returns the changes between two contents of one kind, or nil for different kinds.
func Compare(ctx context.Context, old, new any, opts Options) (Changes, error) {
	if o, n, ok := asBoth[*scene.Node](old, new); ok && o.Mesh != nil && n.Mesh != nil {
		return meshChanges(ctx, o, n, opts)
	}
	if o, n, ok := asBoth[*scene.Animation](old, new); ok {
		return animationChanges(ctx, o, n, opts)
	}
	if o, n, ok := asBoth[*scene.Skin](old, new); ok {
		return skinChanges(o, n), nil
	}
	if o, n, ok := asBoth[model.Picture](old, new); ok && o.Image != nil && n.Image != nil {
		return pictureChanges(ctx, o, n)
	}
	if o, n, ok := asBoth[*text.Text](old, new); ok {
		return textChanges(ctx, o, n, opts.Texts), nil
	}
	if o, n, ok := asBoth[*sound.Sound](old, new); ok {
		return soundChanges(ctx, o, n)
	}
	return nil, nil
}

// IsPartial reports whether a content is only a part of an item, so that the rest must be compared, too.
func IsPartial(content any) bool {
	switch content.(type) {
	case model.Picture, *text.Text, *sound.Sound:
		return true
	}
	return false
}

// Facts returns the main facts about a content.
func Facts(content any) []string {
	switch v := content.(type) {
	case *scene.Node:
		if v.Mesh != nil {
			return meshFacts(v.Mesh)
		}
	case *scene.Animation:
		s := []string{english.Plural(len(v.Channels), "channel", "")}
		if _, length := v.Span(); length > 0 {
			s = append(s, fmt.Sprintf("%.4g s", length))
		}
		return s
	case *scene.Skin:
		return []string{english.Plural(len(v.Joints), "joint", "")}
	case model.Picture:
		if v.Image != nil {
			size := v.Image.Bounds().Size()
			return []string{fmt.Sprintf("%d × %d pixels", size.X, size.Y)}
		}
	case *text.Text:
		return []string{model.Count(text.LineCount(v.Text), "line")}
	case *sound.Sound:
		if length := v.Length(); length > 0 {
			return []string{secondsText(length.Seconds(), 3)}
		}
	}
	return nil
}

// meshFacts returns the numbers of vertices and triangles of a mesh.
func meshFacts(m *scene.Mesh) []string {
	n := 0
	for _, p := range m.Parts {
		n += p.Primitive.TriangleCount(m.PartIndices(p).Len())
	}
	return []string{model.Count(m.Count, "vertex"), model.Count(n, "triangle")}
}

// secondsText returns a time in seconds, rounded to a number of digits after the point.
func secondsText(seconds float64, digits int) string {
	s := strconv.FormatFloat(seconds, 'f', digits, 64)
	return strings.TrimSuffix(strings.TrimRight(s, "0"), ".") + " s"
}

// CommonPart returns the common part of two unchanged contents of one kind, or false if it is unknown.
func CommonPart(old, new any) (PartChange, bool) {
	if reflect.TypeOf(old) != reflect.TypeOf(new) {
		return PartChange{}, false
	}
	p := PartChange{How: Unchanged}
	switch old.(type) {
	case *scene.Node:
		p.Field = "vertices and triangles"
	case *scene.Animation:
		p.Field = "keys"
	case *scene.Skin:
		p.Field = "joints"
	case *text.Text:
		p.Field = "text"
	case model.Picture:
		p.Field = "picture"
	}
	return p, p.Field != ""
}

// plural returns the word for n items; a noun that ends with s or a bracket stays as it is.
func plural(unit string, n int64) string {
	if strings.HasSuffix(unit, "s") || strings.HasSuffix(unit, ")") {
		return unit
	}
	return english.PluralWord(int(min(n, 2)), unit, "")
}

// List joins the first texts with commas and adds the number of the rest.
func List(s []string, limit int) string {
	if len(s) <= limit {
		return strings.Join(s, ", ")
	}
	return strings.Join(s[:limit], ", ") + " and " + model.FormatCount(len(s)-limit) + " more"
}

// maxSamples is the maximum number of compared samples of a sound.
const maxSamples = 32 << 20

// soundChanges returns the changes between two sounds.
func soundChanges(ctx context.Context, old, new *sound.Sound) (s Changes, err error) {
	if old.Format != new.Format {
		s.add(PartChange{Old: fmt.Sprint(old.Format), New: fmt.Sprint(new.Format)})
	}
	if old.Rate != new.Rate {
		s.add(PartChange{Old: model.FormatCount(old.Rate), New: model.FormatCount(new.Rate) + " Hz"})
	}
	if old.Channels != new.Channels {
		s.add(PartChange{How: Counted, Field: "channel", N: int64(new.Channels), All: int64(old.Channels)})
	}
	if a, b := old.Length(), new.Length(); a != b && a > 0 && b > 0 {
		s.add(lengthChange(a.Seconds(), b.Seconds()))
	}
	if old.Rate != new.Rate || old.Channels != new.Channels {
		return s, nil
	}
	from, errFrom := samplesOf(ctx, old)
	to, errTo := samplesOf(ctx, new)
	if err := cmp.Or(errFrom, errTo); err != nil {
		return s, err
	}
	changed, largest := 0, float32(0)
	for i := range min(len(from), len(to)) {
		if d := from[i] - to[i]; d != 0 {
			changed++
			largest = max(largest, d, -d)
		}
	}
	if changed > 0 {
		s.add(PartChange{How: Changed, Field: "samples", N: int64(changed), All: int64(max(len(from), len(to))),
			Note: fmt.Sprintf("maximum difference %.2g of full scale", largest)})
	}
	return s, nil
}

// samplesOf reads a sound, as much of it as is compared.
func samplesOf(ctx context.Context, s *sound.Sound) (values []float32, err error) {
	err = s.Samples(ctx, 0, func(p []float32) bool {
		values = append(values, p...)
		return len(values) < maxSamples
	})
	return values, err
}

// lengthChange returns the change of a length in seconds: to the millisecond, or as exact as needed to see it.
func lengthChange(old, new float64) PartChange {
	p := PartChange{Field: "length"}
	for digits := 3; p.Old == p.New && digits <= 9; digits += 3 {
		p.Old, p.New = secondsText(old, digits), secondsText(new, digits)
	}
	return p
}
