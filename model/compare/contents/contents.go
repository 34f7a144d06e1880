package contents

import (
	"context"
	"fmt"
	"reflect"
	"strings"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/dustin/go-humanize/english"

	"assay/model"
	"assay/model/compare/texts"
	"assay/model/scene"
	"assay/model/sound"
	"assay/model/text"
)

// Compare says what changed between two contents of one kind, in clauses.
func Compare(ctx context.Context, old, new any) ([]string, error) {
	switch o := old.(type) {
	case *scene.Node:
		if n, ok := new.(*scene.Node); ok && o.Mesh != nil && n.Mesh != nil {
			return MeshChange(ctx, o, n)
		}
	case *scene.Animation:
		if n, ok := new.(*scene.Animation); ok {
			return animationChange(ctx, o, n)
		}
	case *scene.Skin:
		if n, ok := new.(*scene.Skin); ok {
			return SkinChange(o, n), nil
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

// IsPart reports whether a content is what a part of a thing looks like, so that it says nothing of the rest.
func IsPart(content any) bool {
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

// Unchanged says that two contents of one kind, in which no change was found, are the same; empty where that is not
// known.
func Unchanged(old, new any) string {
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
		say("%s → %s Hz", Comma(old.Rate), Comma(new.Rate))
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
		say("%s of %s samples changed, largest difference %.2g of full scale", Comma(changed),
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
