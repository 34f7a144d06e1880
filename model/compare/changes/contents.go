package changes

import (
	"context"
	"fmt"
	"reflect"
	"strings"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/dustin/go-humanize/english"

	"assay/model"
	"assay/model/compare"
	"assay/model/compare/scenes"
	"assay/model/compare/texts"
	"assay/model/scene"
	"assay/model/sound"
	"assay/model/text"
)

// contentChange says what changed between two contents of one kind, in clauses.
func contentChange(ctx context.Context, old, new any) ([]string, error) {
	switch o := old.(type) {
	case *scene.Node:
		if n, ok := new.(*scene.Node); ok && o.Mesh != nil && n.Mesh != nil {
			return scenes.MeshChange(ctx, o, n)
		}
	case *scene.Animation:
		if n, ok := new.(*scene.Animation); ok {
			return animationChange(ctx, o, n)
		}
	case *scene.Skin:
		if n, ok := new.(*scene.Skin); ok {
			return scenes.SkinChange(o, n), nil
		}
	case model.Picture:
		if n, ok := new.(model.Picture); ok && o.Image != nil && n.Image != nil {
			return picturesChange(ctx, o, n)
		}
	case *text.Text:
		if n, ok := new.(*text.Text); ok {
			return textChange(o, n), nil
		}
	case *sound.Sound:
		if n, ok := new.(*sound.Sound); ok {
			return soundChange(ctx, o, n)
		}
	}
	return nil, nil
}

// isLook reports whether a content is what a part of a thing looks like, so that it says nothing of the rest.
func isLook(content any) bool {
	switch content.(type) {
	case model.Picture, *text.Text, *sound.Sound:
		return true
	}
	return false
}

// contentFacts are what a person would say first of a content.
func contentFacts(content any) []string {
	switch v := content.(type) {
	case *scene.Node:
		if v.Mesh != nil {
			return meshFacts(v.Mesh)
		}
	case *scene.Animation:
		s := []string{english.Plural(len(v.Channels), "channel", "")}
		if length := v.Duration(); length > 0 {
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
		return []string{english.Plural(strings.Count(v.Text, "\n")+1, "line", "")}
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
	return []string{Count(int64(m.Count), "vertex"), Count(int64(n), "triangle")}
}

// unchanged says that two contents of one kind, in which no change was found, are the same; empty where that is not
// known.
func unchanged(old, new any) string {
	if reflect.TypeOf(old) != reflect.TypeOf(new) {
		return ""
	}
	switch old.(type) {
	case *scene.Node:
		return "vertices and triangles unchanged"
	case *scene.Animation:
		return "keys unchanged"
	case *scene.Skin:
		return "joints unchanged"
	case *text.Text:
		return "text unchanged"
	case model.Picture:
		return "picture unchanged"
	}
	return ""
}

// whole says what changed between two files that are pictures, sounds or texts as a whole.
func (s *collector) whole() {
	old, new, err := WholeFileViews(s.ctx, s.c)
	if err != nil || old == nil {
		return
	}
	clauses, err := contentChange(s.ctx, old, new)
	if err == nil && len(clauses) == 0 && old.ViewKind() == model.PictureView && new.ViewKind() == model.PictureView {
		clauses = []string{"the pictures are the same, pixel by pixel"}
	}
	if err == nil && len(clauses) > 0 {
		s.o.Values, s.o.Whole = clauses, true
	}
}

// Contents reads what both versions of a thing are made of; nil where there is nothing to be read.
func Contents(ctx context.Context, c *compare.Comparison, t ThingChange) (old, new any) {
	p := c.At(t.Path)
	if p == nil {
		return nil, nil
	}
	read := func(n *model.Node, isOld bool) any {
		if n == nil {
			return nil
		}
		own, ok := c.Thing(n, isOld)
		if !ok || own.Content == nil {
			return nil
		}
		v, err := own.Content(ctx)
		if err != nil {
			return nil
		}
		return v
	}
	return read(p.Old, true), read(p.New, false)
}

// TextsOf compares two contents line by line; nil if they are not two texts.
func TextsOf(old, new any) *texts.Diff {
	o, ok := old.(*text.Text)
	if !ok {
		return nil
	}
	n, ok := new.(*text.Text)
	if !ok {
		return nil
	}
	return texts.Compare(o.Text, n.Text)
}

func textChange(old, new *text.Text) []string {
	var s []string
	if old.Encoding != new.Encoding {
		s = append(s, old.Encoding+" → "+new.Encoding)
	}
	if old.Ends != new.Ends && old.Ends != "" && new.Ends != "" {
		s = append(s, "line ends "+old.Ends+" → "+new.Ends)
	}
	return append(s, texts.Compare(old.Text, new.Text).Clauses()...)
}

// soundSamples is how many samples of a sound are compared.
const soundSamples = 32 << 20

// soundChange says what changed between two sounds.
func soundChange(ctx context.Context, old, new *sound.Sound) ([]string, error) {
	var s []string
	say := func(format string, args ...any) { s = append(s, fmt.Sprintf(format, args...)) }
	if old.Format != new.Format {
		say("%s → %s", old.Format, new.Format)
	}
	if old.Rate != new.Rate {
		say("%s → %s Hz", comma(old.Rate), comma(new.Rate))
	}
	if old.Channels != new.Channels {
		say("%d → %d channels", old.Channels, new.Channels)
	}
	if a, b := old.Length(), new.Length(); a != b && a > 0 && b > 0 {
		say("length %s → %s", a.Round(time.Millisecond), b.Round(time.Millisecond))
	}
	if old.Rate != new.Rate || old.Channels != new.Channels {
		return s, nil
	}
	from, err := samplesOf(ctx, old)
	if err != nil {
		return s, err
	}
	to, err := samplesOf(ctx, new)
	if err != nil {
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
		say("%s of %s samples changed, largest difference %.2g of full scale", comma(changed),
			humanize.Comma(int64(max(len(from), len(to)))), largest)
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
