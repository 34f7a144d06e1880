package model

// Severity ranks a Problem.
type Severity uint8

// The severities, from a remark, about what need not be a fault, to something that cannot be read.
const (
	Note Severity = iota
	Warning
	Error
)

// String is the severity's name in reports: note, warning, error.
func (s Severity) String() string {
	switch s {
	case Note:
		return "note"
	case Warning:
		return "warning"
	}
	return "error"
}

// Problem is something wrong with a file.
type Problem struct {
	Severity Severity
	Span     Span   // the bytes it is about; Size may be 0
	Path     string // of the node it was found on; filled in by a Report
	Message  string // one plain sentence, without the place
}
