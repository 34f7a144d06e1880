// Package query is the one language of filters. People type it above the tree, above lists of assets, files and values,
// and after --only:
//
//	*.gpb size > 100 KB duck
//
// A filter is a row of items, all of which must hold:
//
//	duck              a word: it is in a name, or in another text of the thing, whatever its case
//	"big duck"        several words in quotes are one; in quotes, and, or, not, ( ) and < > = ! ~ are text
//	*.gpb  icon_??    a pattern of a whole name: * is any text, ? one character, [a-f0-9] one of several
//	images/*.png      with a slash, of the whole path; then ** is also any number of folders
//	size > 100 KB     a condition: a column, one of = != < <= > >= ~, and what it is compared with
//	not duck          what must not hold
//	duck or goose     one of both; and binds closer than or
//	(duck or goose) *.png
//
// The word "and" may stand between items. In a condition = and != ignore case and take patterns, ~ asks for a part.
// Sizes take units (KB is 1,000 bytes, KiB is 1,024), dates are written 2026-11-23 or shorter. Text of several words is
// quoted, unless it is a known value of its column (type = PNG file).
//
// A list says which columns it has (List); the things in it are asked for words and for tests of their columns (Thing).
// Whoever has a table uses package model/table, whoever has nodes package model/find: both answer for their things.
package query
