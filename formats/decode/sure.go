package decode

// Sure is how certain a format is that a file is its own, judged by the file's first bytes.
type Sure int

// No: it is another's. Maybe: nothing speaks against it, the extension decides. Yes: it says so itself.
const (
	No Sure = iota
	Maybe
	Yes
)
