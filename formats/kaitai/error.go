package kaitai

import "fmt"

// place is where in which file something stands.
type place struct {
	file string
	line int    // from 1
	path string // from the top of the document: /types/header/seq/0
}

// Error is what is wrong with a description, where.
type Error struct {
	File    string
	Line    int    // from 1; 0 if the file as a whole is meant
	Path    string // from the top of the document: /types/header/seq/0/size; "" for the file as a whole
	Message string
}

// Error writes the error as the language's own compiler does: file, line, path, and what was expected.
func (e *Error) Error() string {
	switch {
	case e.Line == 0:
		return fmt.Sprintf("%s: %s", e.File, e.Message)
	case e.Path == "":
		return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Message)
	}
	path := e.Path
	if most := 200; len(path) > most { // of types in types in types
		path = "..." + path[len(path)-most:]
	}
	return fmt.Sprintf("%s:%d: %s: %s", e.File, e.Line, path, e.Message)
}

// Place returns the file and the line of the error.
func (e *Error) Place() (file string, line int) { return e.File, e.Line }

// fail returns an error at a place.
func (p place) fail(format string, args ...any) error {
	return &Error{File: p.file, Line: p.line, Path: p.path, Message: fmt.Sprintf(format, args...)}
}
