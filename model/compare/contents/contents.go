package contents

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"reflect"
	"strings"
	"time"

	"github.com/dustin/go-humanize/english"

	"assay/model"
	"assay/model/scene"
	"assay/model/sound"
	"assay/model/text"
)

// both returns two contents as those of one kind; false if they are not both of it.
func both[T any](old, new any) (o, n T, ok bool) {
	o, isOld := old.(T)
	n, isNew := new.(T)
	return o, n, isOld && isNew
}

// Options say what counts as the same.
type Options struct {
	// Tolerance is how far two numbers may be apart, absolute or as a share of the larger one.
	Tolerance float64
}

// Near reports whether two numbers are as near to one another as the tolerance allows.
func (o Options) Near(a, b float64) bool {
	return o.Tolerance > 0 && math.Abs(a-b) <= o.Tolerance*max(1, math.Abs(a), math.Abs(b))
}

// Compare returns what changed between two contents of one kind; nothing if they are of two.
func Compare(ctx context.Context, old, new any, opts Options) (Changes, error) {
	if o, n, ok := both[*scene.Node](old, new); ok && o.Mesh != nil && n.Mesh != nil {
		return meshChanges(ctx, o, n, opts)
	}
	if o, n, ok := both[*scene.Animation](old, new); ok {
		return animationChanges(ctx, o, n, opts)
	}
	if o, n, ok := both[*scene.Skin](old, new); ok {
		return skinChanges(o, n), nil
	}
	if o, n, ok := both[model.Picture](old, new); ok && o.Image != nil && n.Image != nil {
		return pictureChanges(ctx, o, n)
	}
	if o, n, ok := both[*text.Text](old, new); ok {
		return textChanges(o, n), nil
	}
	if o, n, ok := both[*sound.Sound](old, new); ok {
		return soundChanges(ctx, o, n)
	}
	return nil, nil
}

// ShowsPart reports whether a content is what a part of a thing looks like, so that it says nothing of the rest.
func ShowsPart(content any) bool {
	switch content.(type) {
	case model.Picture, *text.Text, *sound.Sound:
		return true
	}
	return false
}

// Facts are what a person would say first of a content.
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
		return []string{model.Count(int64(text.LineCount(v.Text)), "line")}
	case *sound.Sound:
		if length := v.Length(); length > 0 {
			return []string{length.Round(time.Millisecond).String()}
		}
	}
	return nil
}

// meshFacts are how many vertices and triangles a mesh has.
func meshFacts(m *scene.Mesh) []string {
	n := 0
	for _, p := range m.Parts {
		n += p.Primitive.TriangleCount(m.PartIndices(p).Len())
	}
	return []string{model.Count(int64(m.Count), "vertex"), model.Count(int64(n), "triangle")}
}

// InCommon returns what two contents of one kind, in which no change was found, have in common; false where that is not
// known.
func InCommon(old, new any) (Part, bool) {
	if reflect.TypeOf(old) != reflect.TypeOf(new) {
		return Part{}, false
	}
	p := Part{How: Unchanged}
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

// TextsOf compares two contents line by line; nil if they are not two texts.
func TextsOf(old, new any) *Diff {
	if o, n, ok := both[*text.Text](old, new); ok {
		return CompareTexts(o.Text, n.Text)
	}
	return nil
}

func textChanges(old, new *text.Text) (s Changes) {
	if old.Encoding != new.Encoding {
		s.add(Part{Old: old.Encoding, New: new.Encoding})
	}
	if old.Ends != new.Ends && old.Ends != "" && new.Ends != "" {
		s.add(Part{Field: "line ends", Old: old.Ends, New: new.Ends})
	}
	return append(s, LineChanges(CompareTexts(old.Text, new.Text))...)
}

// LineChanges returns how many lines of two texts differ.
func LineChanges(t *Diff) (s Changes) {
	if n := t.Counts.Changed; n > 0 {
		s.add(Part{How: Changed, Field: "line", N: n, All: int64(t.NewLines())})
	}
	s.count(Added, "line", int(t.Counts.Added))
	s.count(Removed, "line", int(t.Counts.Removed))
	return s
}

// LineSummary says in a sentence how many lines of two texts differ.
func LineSummary(t *Diff) string {
	return cmp.Or(strings.Join(LineChanges(t).Texts(), ", "), "all lines identical")
}

// soundSamples is how many samples of a sound are compared.
const soundSamples = 32 << 20

// soundChanges returns what changed between two sounds.
func soundChanges(ctx context.Context, old, new *sound.Sound) (s Changes, err error) {
	if old.Format != new.Format {
		s.add(Part{Old: fmt.Sprint(old.Format), New: fmt.Sprint(new.Format)})
	}
	if old.Rate != new.Rate {
		s.add(Part{Old: comma(int64(old.Rate)), New: comma(int64(new.Rate)) + " Hz"})
	}
	if old.Channels != new.Channels {
		s.add(Part{How: Counted, Field: "channel", N: int64(new.Channels), All: int64(old.Channels)})
	}
	if a, b := old.Length(), new.Length(); a != b && a > 0 && b > 0 {
		s.add(Part{Field: "length", Old: a.Round(time.Millisecond).String(), New: b.Round(time.Millisecond).String()})
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
		s.add(Part{How: Changed, Field: "samples", N: int64(changed), All: int64(max(len(from), len(to))),
			Note: fmt.Sprintf("maximum difference %.2g of full scale", largest)})
	}
	return s, nil
}

// samplesOf reads a sound, as much of it as is compared.
func samplesOf(ctx context.Context, s *sound.Sound) (all []float32, err error) {
	err = s.Samples(ctx, 0, func(p []float32) bool {
		all = append(all, p...)
		return len(all) < soundSamples
	})
	return all, err
}
