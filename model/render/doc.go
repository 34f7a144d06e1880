// Package render draws: a scene into a picture, without a graphics card, and a picture of any document, as file
// managers and previews show it.
//
// Load makes a Model of a scene: triangles, lines, dots and cubes in one space, bounded in number. A Renderer draws a
// Model as often as the View of it changes. Whatever a file says, drawing does not fail: coordinates that are no
// numbers and indices that lead nowhere are passed over.
package render
