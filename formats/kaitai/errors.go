package kaitai

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
)

type location struct {
	file    string
	line    int    // from 1
	column  int    // from 1
	isExact bool   // the text that begins here is on this line as it is, so that its columns can be counted
	path    string // from the top of the document: /types/header/seq/0
}

// Error is an error in a description, with its location.
type Error struct {
	File    string
	Line    int    // from 1; 0 if the file as a whole is meant
	Column  int    // from 1; 0 if the line as a whole is meant
	Path    string // from the top of the document: /types/header/seq/0/size; "" for the file as a whole
	Message string
}

// Error formats the error as the language's own compiler does: file, line, path, and the expectation.
func (e *Error) Error() string {
	switch {
	case e.Line == 0:
		return fmt.Sprintf("%s: %s", e.File, e.Message)
	case e.Path == "":
		return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Message)
	}
	path := e.Path
	if limit := 200; len(path) > limit { // of types in types in types
		path = "..." + path[len(path)-limit:]
	}
	return fmt.Sprintf("%s:%d: %s: %s", e.File, e.Line, path, e.Message)
}

// Location returns the file and the line of the error.
func (e *Error) Location() (file string, line int) { return e.File, e.Line }

func (p location) fail(format string, args ...any) error {
	return &Error{File: p.file, Line: p.line, Column: p.column, Path: p.path, Message: fmt.Sprintf(format, args...)}
}

// failAt is fail for an error at a byte of the text that begins at the location.
func (p location) failAt(offset int, format string, args ...any) error {
	if p.isExact {
		p.column += offset
	}
	return p.fail(format, args...)
}

// maxFindings limits the listed errors of a description: a broken one of 4 MB has more than anybody reads.
const maxFindings = 500

// Errors are several errors of a description and its imports: those of one file together, by line.
type Errors []*Error

// Error returns the first one, and the number of the others.
func (e Errors) Error() string {
	if len(e) == 1 {
		return e[0].Error()
	}
	return fmt.Sprintf("%v (and %d more errors; assay formats --check lists them)", e[0], len(e)-1)
}

// Location returns the file and the line of the first error.
func (e Errors) Location() (file string, line int) { return e[0].Location() }

// findings collects the errors of a description.
type findings struct{ errors Errors }

// report adds an error, or the errors of an imported description. It returns false if err is nil.
func (f *findings) report(err error) bool {
	if err == nil {
		return false
	}
	if several, ok := errors.AsType[Errors](err); ok {
		f.errors = append(f.errors, several...)
	} else if located, ok := errors.AsType[*Error](err); ok {
		f.errors = append(f.errors, located)
	} else {
		f.errors = append(f.errors, &Error{Message: err.Error()})
	}
	f.errors = f.errors[:min(len(f.errors), maxFindings)]
	return true
}

// isFull reports whether no further errors are listed.
func (f *findings) isFull() bool { return len(f.errors) >= maxFindings }

// sort sorts the errors by file, in the order of the first error of each, then by line, and removes duplicates.
func (f *findings) sort() {
	order := make(map[string]int)
	for _, e := range f.errors {
		if _, ok := order[e.File]; !ok {
			order[e.File] = len(order)
		}
	}
	slices.SortStableFunc(f.errors, func(a, b *Error) int {
		return cmp.Or(cmp.Compare(order[a.File], order[b.File]), cmp.Compare(a.Line, b.Line),
			cmp.Compare(a.Column, b.Column))
	})
	f.errors = slices.CompactFunc(f.errors, func(a, b *Error) bool { return *a == *b })
}

// err returns the sorted errors: nil, one *Error, or Errors.
func (f *findings) err() error {
	if len(f.errors) == 0 {
		return nil
	}
	f.sort()
	if len(f.errors) == 1 {
		return f.errors[0]
	}
	return f.errors
}
