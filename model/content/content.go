// Package content looks at the content of files that are not Assay's own: pictures, sounds, texts, fonts, and bytes of
// which nothing is known.
//
// Assets of a package that are files themselves leave it in the forms that such files have, without being unpacked
// before.
package content

import (
	"context"
	"path"
	"slices"
	"strings"

	"github.com/gabriel-vasile/mimetype"

	"assay/model"
	"assay/model/font"
	"assay/model/picture"
	"assay/model/sound"
	"assay/model/text"
)

// Kind is a kind of content.
type Kind struct {
	Name string // "PNG picture", "JSON text"; empty for bytes of which nothing is known
	Text bool
	view func(ctx context.Context, src *model.Source) (model.View, error)
}

// Known reports whether the content is of a kind that is shown.
func (k Kind) Known() bool { return k.Name != "" }

// viewOf returns a function that reads a file, and returns no view with an error.
func viewOf[V model.View](open func(ctx context.Context, src *model.Source) (V, error),
) func(ctx context.Context, src *model.Source) (model.View, error) {
	return func(ctx context.Context, src *model.Source) (model.View, error) {
		v, err := open(ctx, src)
		if err != nil {
			return nil, err
		}
		return v, nil
	}
}

// leastText is the fewest bytes that are taken for a text: two versions of a text may be a letter each.
const leastText = 1

// headSize is how much of a file is looked at.
const headSize = 4096

// Of returns the kind of a file's content.
func Of(src *model.Source) Kind {
	head := make([]byte, min(headSize, src.Size()))
	n, _ := src.ReadAt(head, 0)
	head = head[:n]
	if format := picture.Recognise(src); format != "" {
		return Kind{Name: format + " picture", view: viewOf(picture.Open)}
	}
	if format := font.Recognise(head); format != "" {
		return Kind{Name: format + " font", view: viewOf(font.Open)}
	}
	if format := sound.Recognise(head); format != "" {
		return Kind{Name: format + " sound", view: viewOf(sound.Open)}
	}
	if len(head) >= leastText && isText(head, mimetype.Detect(head)) {
		name := "plain text"
		if l := text.Of(head, path.Base(src.Name())).Language; l != "" {
			name = l + " text"
		}
		return Kind{Name: name, Text: true, view: viewOf(text.Open)}
	}
	return Kind{}
}

// View returns what a file looks like: by its kind, else its bytes. What is broken is shown as bytes, with an error
// that says why.
func View(ctx context.Context, src *model.Source) (model.View, error) {
	var broken error
	if k := Of(src); k.Known() {
		v, err := k.view(ctx, src)
		if err == nil || ctx.Err() != nil {
			return v, err
		}
		broken = err
	}
	b, err := Look(ctx, src, model.Span{Size: src.Size()})
	if err != nil {
		return nil, err
	}
	b.Broken = broken
	return b, nil
}

// Shown reports whether a media type is one of a content that is shown by its kind.
func Shown(mediaType string) bool {
	kind, _, _ := strings.Cut(mediaType, "/")
	return slices.Contains([]string{"image", "text", "audio", "font"}, kind) ||
		strings.HasPrefix(mediaType, "application/json") || strings.HasPrefix(mediaType, "application/ogg")
}
