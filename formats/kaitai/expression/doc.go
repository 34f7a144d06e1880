// Package expression is the expression language of Kaitai Struct descriptions: what stands behind size, if, repeat-
// expr, switch-on, value, valid and the like. https://doc.kaitai.io/user_guide.html#_expression_language describes
// it.
//
//	token.go     the words and signs of an expression, with their offsets
//	parse.go     Parse: a Pratt parser, which nests at most maxNesting deep
//	tree.go      the forms that an expression is made of, and how each is evaluated
//	operator.go  what the operators do with numbers, texts, bytes and lists
//	method.go    what follows a point: to_s, to_i, length, substring, first, ...
//	value.go     Value, which every expression has when it is evaluated
//	encoding.go  the encodings of texts, by the names that descriptions use
//
// The package knows nothing of files. What a name, or a field of an object or of a stream means is asked of a Scope;
// lists are interfaces, so that whoever reads a file can leave them unread until an expression looks at them.
//
// Types are found when an expression is evaluated, not before: `as<type>` changes the value only where it makes
// bytes of a list of numbers, or a number with a fraction of a whole one. Whole numbers have 64 bits, signed or
// unsigned; a result that fits in neither is an error.
package expression
