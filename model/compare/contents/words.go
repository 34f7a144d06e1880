package contents

import (
	"strings"

	"github.com/dustin/go-humanize"
	"github.com/dustin/go-humanize/english"
)

// plural is the word for n things; one that ends with s is a plural, whatever their number.
func plural(what string, n int64) string {
	if strings.HasSuffix(what, "s") || strings.HasSuffix(what, ")") {
		return what
	}
	return english.PluralWord(int(min(n, 2)), what, "")
}

func comma(n int64) string { return humanize.Comma(n) }

// List joins the first texts with commas and says how many more there are.
func List(s []string, most int) string {
	if len(s) <= most {
		return strings.Join(s, ", ")
	}
	return strings.Join(s[:most], ", ") + " and " + comma(int64(len(s)-most)) + " more"
}
