package contents

import (
	"fmt"
	"strings"

	"github.com/dustin/go-humanize"
	"github.com/dustin/go-humanize/english"
)

// Count returns a number of things in words.
func Count(n int64, what string) string {
	return humanize.Comma(n) + " " + english.PluralWord(int(min(n, 2)), what, "")
}

// Comma
func Comma(n int) string { return humanize.Comma(int64(n)) }

// List joins the first texts with commas and says how many more there are.
func List(s []string, most int) string {
	if len(s) <= most {
		return strings.Join(s, ", ")
	}
	return strings.Join(s[:most], ", ") + fmt.Sprintf(" and %d more", len(s)-most)
}
