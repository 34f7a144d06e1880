package query

import (
	"fmt"
	"strings"
	"text/tabwriter"
)

// Rule is a way to write a part of a filter, and what it asks for.
type Rule struct{ Written, Finds string }

// Rules are the language, in the order in which one learns it.
var Rules = []Rule{
	{`duck`, "the name or another text contains the word; case is ignored"},
	{`duck pond`, "both words must match; terms side by side are combined with and"},
	{`"big duck"`, "the exact phrase; operators in quotes are plain text"},
	{`*.png`, "a pattern for the whole name: * matches any text, ? one character, [a-f0-9] one of a set"},
	{`images/*.png`, "with a slash, a pattern for the whole path; ** matches any number of folders"},
	{`size > 100 KB`, "a condition: a column, one of = != < <= > >=, and a value; KB is 1,000 bytes, KiB is 1,024"},
	{`type = Texture`, "= and != ignore case and accept patterns; quote values of several words"},
	{`name ~ duck`, "~ matches part of the column's text"},
	{`modified >= 2026-11`, "dates are year-month-day; you can omit the day or the month"},
	{`class ~ texture`, "in trees and asset lists: a field has this value"},
	{`/meshes/* size > 1 MB`, "in trees and asset lists: a leading slash means a path"},
	{`not duck`, "the next term must not match"},
	{`duck or goose`, "either one; and takes precedence over or"},
	{`(duck or goose) *.png`, "parentheses group terms"},
}

// Where says where filters are used.
const Where = "Use filters above the tree and lists, and after --only. The syntax is the same everywhere: " +
	"conditions can use the columns of a list and the fields of the file."

// Only says what --only takes besides.
const Only = "After --only, text without patterns or conditions must be a complete key, name, or path."

// Page is all of this for a terminal.
func Page() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\n", Where)
	w := tabwriter.NewWriter(&b, 0, 0, 3, ' ', 0)
	for _, r := range Rules {
		fmt.Fprintf(w, "  %s\t%s\n", r.Written, r.Finds)
	}
	w.Flush()
	fmt.Fprintf(&b, "\nFor instance, *.png size > 100 KB duck. %s\n", Only)
	return b.String()
}
