package paint

import "assay/model"

// Tone is what a text is about, which decides its colour.
type Tone uint8

// The tones of texts.
const (
	Normal Tone = iota
	Dim
	Faint
	Primary
	Success
	Warning
	Error

	Number // values, by their kind
	Word
	Name
	Bytes
	Group
	Link

	Changed // what differs between two versions
	Moved
	Added
	Removed

	Yellow // notes, by their color
	Orange
	Red
	Purple
	Blue
	Green
)

// Kinds are the colours of the kinds of values.
type Kinds struct{ Number, Word, Name, Bytes, Group, Link Color }

var (
	darkKinds = Kinds{Number: rgb(0x8fc7f0), Word: rgb(0xa9cf8e), Name: rgb(0xcfa7e8), Bytes: rgb(0xd9b779),
		Group: rgb(0x9aa7b5), Link: rgb(0x6cb0f2)}
	lightKinds = Kinds{Number: rgb(0x1a5fa8), Word: rgb(0x3a7a1e), Name: rgb(0x7d3fb0), Bytes: rgb(0x8a5a00),
		Group: rgb(0x5f6b78), Link: rgb(0x1f6fc4)}
)

// The colours of notes, from Yellow on: signs of them are seen on the background, and texts on a tint of them are read.
var (
	darkNotes  = [...]Color{rgb(0xe9d25a), rgb(0xf29a4a), rgb(0xf07178), rgb(0xc59af5), rgb(0x6db3f2), rgb(0x7ccf8a)}
	lightNotes = [...]Color{rgb(0x9c7c00), rgb(0xc75f00), rgb(0xc62f3a), rgb(0x8040b8), rgb(0x1c6fc9), rgb(0x2f8a3f)}
)

// OfSeverity returns the tone of a problem.
func OfSeverity(s model.Severity) Tone {
	return [...]Tone{model.Note: Dim, model.Warning: Warning, model.Error: Error}[s]
}

// Of returns the colour of a tone.
func (c *Colors) Of(t Tone) Color {
	switch {
	case t < Yellow:
		return [...]Color{Normal: c.Foreground, Dim: c.Dim, Faint: c.Faint, Primary: c.Primary, Success: c.Success,
			Warning: c.Warning, Error: c.Error, Number: c.Kinds.Number, Word: c.Kinds.Word, Name: c.Kinds.Name,
			Bytes: c.Kinds.Bytes, Group: c.Kinds.Group, Link: c.Kinds.Link, Changed: c.States.Changed,
			Moved: c.States.Moved, Added: c.States.Added, Removed: c.States.Removed}[t]
	case c.Dark:
		return darkNotes[t-Yellow]
	}
	return lightNotes[t-Yellow]
}
