// Package query is the one language of filters, in which people say what they look for above the tree, above lists of
// assets, files and values, and after --only: *.png size > 100 KB duck. Rules explains it.
//
//	filter    = together { "or" together }
//	together  = item { [ "and" ] item }
//	item      = "not" item | "(" filter ")" | condition | word | pattern
//	condition = column ( "=" | "!=" | "<" | "<=" | ">" | ">=" | "~" ) value
//
// A list says which columns it has (List), and its things answer for the words and the tests of a filter (Thing).
// Package table does for rows, package find for nodes and for assets.
//
// It also sorts and filters tables: cells are read when they are needed, and the result is row numbers.
package query
