//go:build linux || freebsd || netbsd || openbsd || dragonfly || windows

package dragout

import (
	"context"
	"errors"
	"fmt"
)

// leftOut adds to a sentence how many files are missing.
func leftOut(b *batch, text string) string {
	if b == nil || len(b.problems) == 0 {
		return text
	}
	p := b.problems[0]
	return fmt.Sprintf("%s %d of %d could not be written; the first is %s: %v.", text, len(b.problems),
		len(b.problems)+len(b.paths), p.Name, p.Err)
}

// sentence is an error for the user.
func sentence(err error) string {
	if isCancel(err) {
		return "Canceled."
	}
	return "Cannot export the dragged files: " + err.Error() + "."
}

func isCancel(err error) bool {
	return errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}
