// Package paint draws text and plain shapes into an image, for the widgets that show many rows at once.
//
// A Fyne text object costs a texture each; a page of rows has thousands of texts. Here every glyph is rasterised
// once into an Atlas and a page is painted by blending those masks into one image. A Canvas is one image being
// painted, in pixels; the Atlas behind it is shared by all widgets of the program. Both belong to the UI thread.
//
// Text is shown as data, not as prose: control, format and bidi characters appear as escapes and are never obeyed,
// and glyphs stand in the order of the string. Scripts that need shaping are therefore shown letter by letter.
//
// It also has Assay's theme, in dark and in light.
package paint
