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
	{`duck`, "the word is in the name, or in another text of the thing, in upper or lower case"},
	{`duck pond`, "both words are there; whatever stands beside each other must all hold"},
	{`"big duck"`, "the words one after the other; in quotes, and, or, not, ( ) and < > = ! ~ are text"},
	{`*.png`, "a pattern of the whole name: * is any text, ? one character, [a-f0-9] one of several"},
	{`images/*.png`, "with a slash, a pattern of the whole path; ** is also any number of folders"},
	{`size > 100 KB`, "a condition: a column, one of = != < <= > >=, and a value; KB is 1,000 bytes, KiB is 1,024"},
	{`type = Texture`, "= and != ignore upper and lower case and take patterns; a value of several words is quoted"},
	{`name ~ duck`, "~ asks for a part of the column's text"},
	{`modified >= 2026-11`, "dates are written from the year on, as far as they matter"},
	{`class ~ texture`, "in the structure, and of assets: a field has the value"},
	{`/meshes/* size > 1 MB`, "in the structure, and of assets: what begins with a slash is a path"},
	{`not duck`, "what follows must not hold"},
	{`duck or goose`, "one of both; and may stand between what must all hold, and binds closer than or"},
	{`(duck or goose) *.png`, "brackets say what belongs together"},
}

// Where says where filters are used.
const Where = "Filters are typed above the tree, above lists of assets, of files and of values, and after --only. They are the same everywhere: " +
	"the titles of a list are its columns, and a field of the structure is one, too."

// Only says what --only takes besides.
const Only = "After --only, a text without patterns and conditions is the whole key, name or path of one thing."

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
