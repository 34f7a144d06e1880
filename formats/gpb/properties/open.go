package properties

import (
	"bytes"
	"context"
	"encoding/binary"
	"path"
	"strings"

	"assay/formats/decode"
	"assay/model"
)

// Link says where a value leads that names a file, and, in a sentence, that what it names is not there; nil if the
// value names none.
type Link func(value string) (link *model.Link, missing string)

// Open reads a text as a document, and returns its content with it. Whatever is wrong with it is a Problem in the
// document; the error is the context's.
func Open(ctx context.Context, src *model.Source, link Link) (*model.Document, *Namespace, error) {
	file, err := Read(ctx, src)
	if err != nil {
		return nil, nil, err
	}
	r := &parser{link: link, parents: parentProblems(file)}
	c := decode.New(ctx, src, "Properties", binary.LittleEndian, types)
	if src.Size() > MaxSize {
		c.Remark(model.Error, model.Span{Offset: MaxSize}, "a text of %d bytes is read up to its byte %d only",
			src.Size(), int64(MaxSize))
	}
	c.Frame(min(src.Size(), MaxSize), func() { r.file(c) })
	d := model.NewDocument(src, format, variant(src.Name(), file), c.Close())
	d.Meaning = Fields.Meaning
	d.FindKey = func(key string) (model.Path, bool) {
		s := file.Find(key)
		if s == nil {
			return nil, false
		}
		n := d.Root().Beginning(s.start, namespaceType)
		if n == nil {
			return nil, false // the file changed since
		}
		return n.Path(), true
	}
	return d, file, ctx.Err()
}

// TopMember returns the property, comment or namespace of a text, in no other namespace, that a node of its document is
// or is a part of; nil for the text itself.
func TopMember(n *model.Node) *model.Node {
	for ; n != nil && n.Parent != nil; n = n.Parent {
		if list := n.Parent; list.Parent != nil && list.Parent.Parent == nil {
			return n
		}
	}
	return nil
}

// variant is what a file of this form is: its extension, else its first namespace.
func variant(name string, file *Namespace) string {
	if extension := strings.TrimPrefix(strings.ToLower(path.Ext(name)), "."); extension != "" {
		return extension
	}
	if len(file.Spaces) > 0 {
		return model.OneLine(strings.ToValidUTF8(file.Spaces[0].Name, "\uFFFD"), 40)
	}
	return ""
}

// Sniff judges the first bytes of a text. Nothing in it says for certain that it is of this form: it has no byte that
// texts do not have, begins with a comment, a property or a namespace, and has a namespace.
func Sniff(head []byte, _ int64) decode.Confidence {
	for _, b := range head {
		if b < ' ' && !strings.ContainsRune(lineBlanks+"\r\n", rune(b)) || b == 0x7f || b == 0 {
			return decode.No
		}
	}
	head = trimBlanks(bytes.TrimPrefix(head, byteOrderMark))
	for first := oneLineComment(head); len(first) > 0; first = oneLineComment(head) {
		head = trimBlanks(head[len(first):]) // for the engine it does not end there: the document says so
	}
	if len(head) == 0 || !isWord(head[0]) && head[0] != '/' && head[0] != '$' {
		return decode.No
	}
	src := model.NewSource("", bytes.NewReader(head), int64(len(head)))
	file, err := Read(context.Background(), src)
	if err != nil || len(file.Spaces) == 0 {
		return decode.No
	}
	for _, n := range file.Spaces {
		for i := range n.Name {
			if !isWord(n.Name[i]) {
				return decode.No
			}
		}
	}
	return decode.Maybe
}

// oneLineComment returns the first line of a text if it is all of a comment to people; else nil.
func oneLineComment(text []byte) []byte {
	first, _, _ := bytes.Cut(text, []byte("\n"))
	if bytes.HasPrefix(first, []byte("/*")) && bytes.HasSuffix(bytes.TrimSpace(first), []byte("*/")) {
		return first
	}
	return nil
}
