package cli

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"image"
	"image/draw"
	"image/jpeg"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"assay/model"
	"assay/model/picture"
	"assay/model/render"
	"assay/model/thumbs"
)

type thumbnailCommand struct {
	resourcesFlag
	File   string   `arg:"" help:"The file."`
	Output []string `arg:"" optional:"" name:"output" help:"The file to write: PNG, or JPEG if its name ends with .jpg. With --sheet: more files to draw."`
	SheetOptions
}

// SheetOptions are the flags for drawing pictures and contact sheets.
type SheetOptions struct {
	Size  int    `short:"s" default:"256" placeholder:"PX" help:"Size in pixels, 16 to 1024; with --sheet, the size of each image."`
	Sheet string `placeholder:"OUTPUT" help:"Write a contact sheet of all files, or of the assets of a single file."`
	Dark  bool   `help:"With --sheet: use a dark background."`
}

func (c *thumbnailCommand) Run(s *session) error {
	s.useAssignments()
	// File managers run several at once, so garbage is collected early.
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(256 << 20))
	defer debug.SetGCPercent(debug.SetGCPercent(40))
	if err := c.apply(s); err != nil {
		return err
	}
	switch {
	case c.Sheet != "":
		s.status = s.runner.ContactSheet(s.ctx, append([]string{c.File}, c.Output...), c.Sheet, c.SheetOptions)
	case len(c.Output) == 1:
		s.status = s.runner.Thumbnail(s.ctx, c.File, c.Output[0], c.Size)
	default:
		return errors.New("give one input file and one output file, or use --sheet OUTPUT for several files")
	}
	return nil
}

// The minimum and maximum edge lengths of thumbnails, in pixels.
const (
	MinThumbnailSize = 16
	MaxThumbnailSize = 1024
)

// thumbnailTimeout is the maximum time for a thumbnail. The part that was read by then is drawn. The limit is generous,
// since render has its own limits.
const thumbnailTimeout = time.Minute

// encoder returns the func that encodes a picture for a file name, and the kind of its files: JPEG by its extension,
// else PNG. Other extensions of pictures are an error.
func encoder(output string) (func(w io.Writer, img image.Image) error, outputKind, error) {
	switch ext := strings.ToLower(filepath.Ext(output)); ext {
	case ".jpg", ".jpeg":
		return func(w io.Writer, img image.Image) error {
			opaque := image.NewRGBA(img.Bounds())
			draw.Draw(opaque, opaque.Rect, image.White, image.Point{}, draw.Src)
			draw.Draw(opaque, opaque.Rect, img, img.Bounds().Min, draw.Over)
			return jpeg.Encode(w, opaque, &jpeg.Options{Quality: 90})
		}, jpegPicture, nil
	default:
		if ext != ".png" && picture.HasExtension(output) || ext == ".avif" {
			return nil, outputKind{}, fmt.Errorf("cannot write %s thumbnails; use .png or .jpg", ext)
		}
	}
	// File managers request many and cache them: speed is more important than a few bytes.
	return (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode, pngPicture, nil
}

// Thumbnail writes a picture of a file as PNG, a transparent square of size × size pixels, or as JPEG on white. For a
// file with nothing to draw, no picture is written, so that it keeps its icon. The file's problems do not change the
// status.
func (r *Runner) Thumbnail(ctx context.Context, file, output string, size int) int {
	return r.writePicture([]string{file}, output, size, func(p *render.Painter) (image.Image, error) {
		ctx, cancel := context.WithTimeout(ctx, thumbnailTimeout)
		defer cancel()
		d, err := r.open(ctx, file, adviceFile)
		switch {
		case errors.Is(err, context.DeadlineExceeded):
			return nil, fmt.Errorf("%s takes too long to open for a thumbnail", displayPath(file))
		case err != nil:
			return nil, err
		}
		defer d.Source.Close()
		img, err := p.Thumbnail(ctx, d)
		if err != nil {
			err = fmt.Errorf("%s: %w", displayPath(file), cmp.Or(d.Source.Err(), err))
		}
		return img, err
	})
}

// writePicture writes a picture of size × size pixels that draw returns, and returns the status. The output - is the
// standard output.
func (r *Runner) writePicture(files []string, output string, size int,
	draw func(p *render.Painter) (image.Image, error)) int {
	if size < MinThumbnailSize || size > MaxThumbnailSize {
		return r.reportError(fmt.Errorf("the size is %d to %d pixels, not %d", MinThumbnailSize, MaxThumbnailSize, size))
	}
	encode, kind, err := encoder(output)
	if err == nil && output != Dash {
		err = r.checkOutput(output, kind, files...)
	}
	if err != nil {
		return r.reportError(err)
	}
	img, err := draw(&render.Painter{Size: size, Open: r.OpenSource})
	if err != nil {
		return r.reportError(err)
	}
	var out bytes.Buffer
	if err := encode(&out, img); err != nil {
		return r.reportError(err)
	}
	if output == Dash {
		if _, err := r.Out.Write(out.Bytes()); err != nil {
			return r.reportError(err)
		}
		return ExitOK
	}
	if err := writePictureFile(output, out.Bytes()); err != nil {
		return r.reportError(fmt.Errorf("%s cannot be written: %w", displayPath(output), err))
	}
	return ExitOK
}

// ContactSheet draws several files on one picture, each with its name, or the assets of one file. A file that cannot be
// opened has an empty cell, and its error is printed.
func (r *Runner) ContactSheet(ctx context.Context, files []string, output string, o SheetOptions) int {
	status := ExitOK
	written := r.writePicture(files, output, o.Size, func(p *render.Painter) (image.Image, error) {
		s := thumbs.Sheet{Side: o.Size, Dark: o.Dark}
		if len(files) == 1 {
			d, err := r.open(ctx, files[0], adviceFile)
			if err != nil {
				return nil, err
			}
			defer d.Source.Close()
			if err := addAssets(ctx, &s, p, d); err != nil {
				return nil, fmt.Errorf("%s: %w", displayPath(files[0]), err)
			}
			return s.Draw(ctx)
		}
		for _, f := range files {
			s.Names = append(s.Names, filepath.Base(f))
		}
		var mu sync.Mutex // guards status and the messages
		s.Picture = func(ctx context.Context, i int) image.Image {
			d, err := r.open(ctx, files[i], adviceFile)
			if err != nil {
				mu.Lock()
				defer mu.Unlock()
				status = r.reportError(err)
				return nil
			}
			defer d.Source.Close()
			img, err := p.Thumbnail(ctx, d)
			if err == nil {
				return img
			}
			if failed := d.Source.Err(); failed != nil {
				mu.Lock()
				defer mu.Unlock()
				status = r.reportError(fmt.Errorf("%s: %w", displayPath(files[i]), failed))
			}
			return nil
		}
		return s.Draw(ctx)
	})
	return max(status, written)
}

// addAssets adds the assets of a document to a sheet.
func addAssets(ctx context.Context, s *thumbs.Sheet, p *render.Painter, d *model.Document) error {
	if d.Payloads == nil || d.Payloads.Len() == 0 {
		return errors.New("no assets for a contact sheet; give several files or omit --sheet")
	}
	s.Total = d.Payloads.Len()
	s.Picture = func(ctx context.Context, i int) image.Image { return p.Asset(ctx, d, d.Payloads.At(i)) }
	return model.DescribeEach(ctx, d.Payloads, 0, min(s.Total, thumbs.MaxPictures), func(_ int, a *model.Payload) bool {
		s.Names = append(s.Names, a.Name)
		return true
	})
}

func writePictureFile(output string, picture []byte) error {
	_, missing := os.Stat(output)
	// Thumbnailers create the file and later read the file that they opened, so the file is overwritten, not replaced.
	err := os.WriteFile(output, picture, 0o600)
	if err != nil && missing != nil {
		_ = os.Remove(output) // a partial picture is useless
	}
	return err
}
