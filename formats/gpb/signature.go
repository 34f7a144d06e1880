package gpb

import "bytes"

// corruptions are what the identifier looks like in files that begin like a bundle and are none.
var corruptions = []struct{ head, why string }{
	{"\xABGPB\xBB\r\n\x1B\n",
		"this is a GPBx file, a variant of the gameplay bundle with blend shapes, which Assay does not read"},
	{"\xEF\xBD\xABGPB\xEF\xBD\xBB", textDamage("from code page 932 (Japanese) to UTF-8")},
	{"\xC2\xABGPB\xC2\xBB", textDamage("from Latin-1 to UTF-8")},
	{"\xEF\xBF\xBDGPB\xEF\xBF\xBD", textDamage("to UTF-8")},
	{"\xABGPB\xBB\n\x1A\n", textDamage("from CR LF to LF at the ends of lines")},
	{"\xABGPB\xBB\r\r\n\x1A\r\n", textDamage("from LF to CR LF at the ends of lines")},
	{"\xABGPB\xBB\r\n\x1A\r\n", textDamage("from LF to CR LF at the ends of lines")},
}

func textDamage(how string) string {
	return "this gameplay bundle was damaged by a text conversion " + how +
		". Get the file again in binary mode (in .gitattributes: *.gpb binary)"
}

// CorruptedSignature says what happened to a file that is not a bundle any more; empty if nothing is known.
func CorruptedSignature(head []byte) string {
	for _, a := range corruptions {
		if bytes.HasPrefix(head, []byte(a.head)) {
			return a.why
		}
	}
	return ""
}
