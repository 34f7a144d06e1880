package model

// Description is the text that says how a document is read, if it was read with one that people write.
type Description struct {
	// Files are the text's own file and those that it includes: a path on disk, or only a name if the program carries
	// the text. When one on disk changes, the document may be read again.
	Files []string
	// Text returns the text of one of Files, as the document was read with.
	Text func(file string) string
	// Rule returns where it says how a node is read: one of Files, and a line from 1; false if it does not.
	Rule func(n *Node) (file string, line int, ok bool)
}

// DescriptionMost is how many bytes a file with a description may have: the largest that is published has 200 KB.
const DescriptionMost = 4 << 20

// PlaceError is an error in a text that people write, such as a Description.
type PlaceError interface {
	error
	// Place returns where the error stands: a file, and a line from 1, or 0 if the file as a whole is meant.
	Place() (file string, line int)
}
