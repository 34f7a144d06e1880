package picture

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"

	"assay/model"
)

// pngMark is how a PNG begins.
const pngMark = "\x89PNG\r\n\x1a\n"

// WritePNG writes a picture file as PNG. It copies a PNG, and converts others. It may return a model.Loss.
func WritePNG(ctx context.Context, w io.Writer, src *model.Source) error {
	head, err := src.Bytes(model.Span{Size: min(int64(len(pngMark)), src.Size())})
	if err != nil {
		return err
	}
	if bytes.Equal(head, []byte(pngMark)) {
		_, err := io.Copy(w, src.Reader(model.Span{Size: src.Size()}))
		return err
	}
	pic, err := Open(ctx, src)
	if err != nil {
		return err
	}
	if err := EncodePNG(w, pic.Image); err != nil {
		return err
	}
	if n := len(pic.Parts); n > 1 && hasSeveral(Recognize(src)) {
		return model.Loss{fmt.Sprintf("the picture is the first of the %d in it; export as png-all for all of them", n)}
	}
	return nil
}

// EncodePNG writes a picture with as many bits a channel as it has. The encoder alone writes 16 for JPEG and WebP,
// which have other color models.
func EncodePNG(w io.Writer, img image.Image) error {
	switch img.ColorModel() {
	case color.YCbCrModel, color.CMYKModel:
		out := image.NewRGBA(img.Bounds())
		draw.Draw(out, out.Rect, img, out.Rect.Min, draw.Src)
		img = out
	case color.NYCbCrAModel:
		out := image.NewNRGBA(img.Bounds())
		draw.Draw(out, out.Rect, img, out.Rect.Min, draw.Src)
		img = out
	}
	return png.Encode(w, img)
}

// Forms returns the forms of a picture file: PNG, and all of its pictures as PNG if it can have several. kind is its
// format, or the extension of its name. read calls use with the file, which stays open until use returns.
func Forms(kind string, read func(ctx context.Context, use func(src *model.Source) error) error) []model.Form {
	forms := []model.Form{{Name: "png", Extension: ".png", MediaType: "image/png", FromContent: true,
		Write: func(ctx context.Context, w io.Writer) error {
			return read(ctx, func(src *model.Source) error { return WritePNG(ctx, w, src) })
		}}}
	if hasSeveral(kind) {
		forms = append(forms, allPicturesForm(read))
	}
	return forms
}

// hasSeveral reports whether a file can have several pictures, by its format or by the extension of its name.
func hasSeveral(format string) bool {
	return slices.Contains([]string{"CUR", "DDS", "EXR", "GIF", "ICO"}, strings.ToUpper(strings.TrimPrefix(format, ".")))
}

// allPicturesForm returns the form that writes every picture of a file as PNG: its mip levels, sides, layers or frames.
// The file is in memory from the first to the last of them.
func allPicturesForm(read func(ctx context.Context, use func(src *model.Source) error) error) model.Form {
	return PartsForm(func(ctx context.Context) (parts []model.Part, err error) {
		err = read(ctx, func(src *model.Source) error {
			if src.Size() > FileLimit {
				return fmt.Errorf("%s is too large (limit: %d bytes)", src.Name(), int64(FileLimit))
			}
			data, err := src.Bytes(model.Span{Size: src.Size()})
			if err != nil {
				return err
			}
			pic, err := Open(ctx, model.NewSource(src.Name(), bytes.NewReader(data), src.Size()))
			if parts = pic.Parts; len(parts) == 0 {
				parts = []model.Part{{Load: func(context.Context) (image.Image, error) { return pic.Image, nil }}}
			}
			return err
		})
		return parts, err
	})
}

// PartsForm returns the form png-all of the pictures that open lists.
func PartsForm(open func(ctx context.Context) ([]model.Part, error)) model.Form {
	form := model.Form{Name: "png-all", Extension: ".png", MediaType: "image/png", FromContent: true}
	var opened struct {
		sync.Mutex
		parts []model.Part
	}
	load := func(ctx context.Context) (err error) {
		if opened.parts == nil {
			opened.parts, err = open(ctx)
		}
		return err
	}
	write := func(ctx context.Context, w io.Writer, file int, _ []string) error {
		opened.Lock()
		defer opened.Unlock()
		if err := load(ctx); err != nil {
			return err
		}
		if file >= len(opened.parts) {
			return errors.New("the file changed while it was read")
		}
		img, err := opened.parts[file].Load(ctx)
		if err != nil {
			return err
		}
		if file == len(opened.parts)-1 {
			opened.parts = nil
		}
		return EncodePNG(w, img)
	}
	form.Files = func(ctx context.Context) (model.Form, error) {
		opened.Lock()
		defer opened.Unlock()
		err := load(ctx)
		listed := form
		listed.Files, listed.WriteFiles, listed.Extensions = nil, write, partExtensions(opened.parts)
		return listed, err
	}
	return form
}

// partExtensions returns the ends of the file names of pictures: their numbers, and names unless they are frames of an
// animation.
func partExtensions(parts []model.Part) []string {
	extensions := []string{".png"}
	for i, p := range parts {
		if len(parts) == 1 {
			break
		}
		name := ""
		if p.Delay == 0 {
			name = strings.Join(strings.FieldsFunc(strings.ReplaceAll(p.Name, " × ", "x"), func(r rune) bool {
				return r == ',' || unicode.IsSpace(r)
			}), "-")
		}
		end := fmt.Sprintf("-%0*d-%s.png", len(strconv.Itoa(len(parts))), i+1, name)
		extensions = append(extensions[:i], strings.Replace(end, "-.png", ".png", 1))
	}
	return extensions
}
