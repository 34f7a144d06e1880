package properties

import (
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
	r := &parser{link: link, known: knownOf(file)}
	c := decode.New(ctx, src, "Properties", binary.LittleEndian, types)
	if src.Size() > MaxSize {
		c.Remark(model.Error, model.Span{Offset: MaxSize}, "the text has %d bytes; only the first %d are read",
			src.Size(), int64(MaxSize))
	}
	c.Frame(min(src.Size(), MaxSize), func() { r.file(c) })
	r.root = c.Close()
	d := model.NewDocument(src, format, variant(src.Name(), file), r.root)
	d.Meaning = Fields.Meaning
	d.FindKey = func(key string) (model.Path, bool) {
		if n := file.Find(key); n != nil {
			return r.path(n)
		}
		return nil, false
	}
	return d, file, ctx.Err()
}

// path returns the path of a namespace of the first reading; ok is false if the file changed since.
func (r *parser) path(n *Namespace) (path model.Path, ok bool) {
	node := r.root.Beginning(n.start, namespaceType)
	if node == nil {
		return nil, false
	}
	return node.Path(), true
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
