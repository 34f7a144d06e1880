package model

import (
	"context"
	"image"
	"time"
)

// View is the data to display for a node, of one of the kinds below. A nil View displays no content.
type View interface {
	// ViewKind returns the kind of the view. Only the types that ViewKind lists implement it.
	ViewKind() ViewKind
}

// ViewKind is a kind of View.
type ViewKind uint8

// The kinds, each with the type that implements it.
const (
	PictureView    ViewKind = iota // Picture
	SceneView                      // *scene.Scene
	TextView                       // *text.Text
	SoundView                      // *sound.Sound
	BytesView                      // *content.Bytes
	SheetView                      // *content.Sheet
	PropertiesView                 // *content.Properties
	OverviewView                   // *archive.Overview
)

// Picture is the view of pixels: one picture, and the others that belong to it.
type Picture struct {
	image.Image        // displayed first
	Format      string // the pixel format in the file: "BC7", "PNG"
	Drawn       bool   // the file has no pixels: their number is not a property of it
	Parts       []Part // all pictures, the first being Image: mip levels, sides, layers, frames; nil if there is one
	Boxes       []Box  // the parts of Image: the glyphs of a font
	Broken      error  // the damage of the file, whose intact rows Image has; nil if it is intact
	// Lines sets a text in each size of a font; nil: this is not a font.
	Lines func(ctx context.Context, text string) ([]Line, error)
}

// Box is a named part of a picture.
type Box struct {
	image.Rectangle
	Name string
	Span Span // of the bytes in the file that describe it; may be empty
}

// Line is a text set in one size of a font.
type Line struct {
	Name string // "32 px"
	*image.Alpha
	Missing []rune // characters of the text that the font does not have, each once
}

// ViewKind implements View.
func (Picture) ViewKind() ViewKind { return PictureView }

// Part is one of the pictures of a Picture.
type Part struct {
	Name  string
	Delay time.Duration // the duration of a frame of an animation; 0 for other parts
	Load  func(ctx context.Context) (image.Image, error)
	Boxes []Box
}
