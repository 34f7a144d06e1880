package kaitai

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"path"
	"slices"
	"strconv"
	"strings"

	"assay/formats/kaitai/expression"
	"assay/model"
	"assay/model/content"
)

// objectView is `-assay-view`: the kind of content in the objects of a type, and the attributes that describe it.
type objectView struct {
	location
	Picture *pictureView `key:"picture"`
	Sound   *soundView   `key:"sound"`
	Text    *textView    `key:"text"`
	Mesh    *meshView    `key:"mesh"`
	Scene   *sceneView   `key:"scene"`
	// Optional additions.
	Checksum *checksumView          `key:"checksum"`
	Links    links                  `key:"link"`
	Key      *expression.Expression `key:"key"` // identifies an object in other versions of the file

	viewer viewer // nil if there are only links and a key, or the description has errors
}

type viewer interface {
	// view returns the view. src is the file.
	view(ctx context.Context, src *model.Source, n *model.Node) (model.View, error)
	// addContent adds the name, the content, and the forms of the view to the asset of the object.
	addContent(src *model.Source, n *model.Node, to *model.Payload)
	// operands are the values of the view.
	operands() []operand
}

// viewers returns the viewers of the kinds of content that are set.
func (v *objectView) viewers() (set []viewer) {
	if v.Picture != nil {
		set = append(set, v.Picture)
	}
	if v.Sound != nil {
		set = append(set, fileViewer{v.Sound, ".wav", "audio/wav"})
	}
	if v.Text != nil {
		set = append(set, fileViewer{v.Text, ".txt", "text/plain"})
	}
	if v.Mesh != nil {
		set = append(set, sceneViewer{v.Mesh})
	}
	if v.Scene != nil {
		set = append(set, sceneViewer{v.Scene})
	}
	return set
}

// read reads a view, which is of one kind.
func (v *objectView) read(r *yamlReader, e entry) error {
	v.location = e.location
	before := len(r.errors)
	if err := r.keys(e, v); err != nil {
		return err
	}
	viewers := v.viewers()
	n, isOther := len(viewers), v.Checksum != nil || v.Links != nil || v.Key != nil
	if v.Checksum != nil {
		viewers = append(viewers, fileViewer{v.Checksum, ".bin", ""})
	}
	if len(viewers) > 0 {
		v.viewer = viewers[0]
	}
	if (n > 1 || n == 0 && !isOther) && len(r.errors) == before {
		return e.fail("one of picture, sound, text, mesh, scene, checksum, link or key is expected")
	}
	return nil
}

// viewOf returns the view of the type of an object, or nil.
func viewOf(n *model.Node) *objectView {
	if t, ok := n.ReadAs().(*objectType); ok && t.View != nil && t.View.viewer != nil {
		return t.View
	}
	return nil
}

// fillPayload makes a payload the asset of an object.
func (v *objectView) fillPayload(src *model.Source, n *model.Node, to *model.Payload) {
	to.Key, to.Type, to.Node, to.Size = n.PathText(), n.Type, n, -1
	v.viewer.addContent(src, n, to)
	if n.Parent == nil {
		to.Name = src.Stem() + path.Ext(to.Name)
	}
	if v.Checksum != nil {
		to.Verify = func(ctx context.Context) (model.Verdict, string, error) { return v.Checksum.verify(ctx, src, n) }
	}
}

// hasView reports whether an attribute is an object, or a list of objects, with a view.
func (a *attribute) hasView() bool {
	return slices.ContainsFunc(a.references(), func(ref *typeReference) bool {
		return ref.Kind == userKind && ref.User.View != nil && ref.User.View.viewer != nil
	})
}

// checkView reports operands of a view that name no attribute of their type.
func (t *objectType) checkView(to *findings) {
	var operands []operand
	if v := t.View.viewer; v != nil {
		operands = v.operands()
	}
	if t.View.Checksum != nil {
		operands = append(operands, t.View.Checksum.operands()...)
	}
	for _, l := range t.View.Links {
		operands = append(operands, l.Field, l.To, l.In, l.Base)
	}
	for _, o := range operands {
		first, _, _ := strings.Cut(o.text, ".")
		if o.text == "" || o.isNumber() || slices.Contains(o.words, strings.ToLower(o.text)) ||
			first == "_root" || first == "_parent" || t.names.attributes[first] != nil {
			continue
		}
		to.report(o.fail("unknown name %q", short(first)))
	}
}

// operand is a value of a view: a number, a word, or the path of an attribute from the object, such as header.width.
// _parent is the object around one, and _root the whole file.
type operand struct {
	location
	text  string
	words []string // that are allowed besides a path
}

func (o *operand) read(r *yamlReader, e entry) (err error) {
	o.text, err = e.scalar()
	o.location = r.locationOf(e.value, e.path)
	return err
}

func (o operand) isSet() bool { return o.text != "" }

func (o operand) isNumber() bool {
	_, err := strconv.ParseInt(wholeDigits(o.text), 0, 64)
	return err == nil
}

// maxPathNames is the maximum number of names in the path of an operand.
const maxPathNames = 32

func (o operand) node(n *model.Node) (*model.Node, error) {
	steps := strings.Split(o.text, ".")
	if len(steps) > maxPathNames {
		return nil, fmt.Errorf("the path %s has more than %d names", short(o.text), maxPathNames)
	}
	for _, name := range steps {
		switch name {
		case "_root":
			n = n.Root()
		case "_parent":
			n = objectAround(n)
		default:
			n = n.ChildNamed(name)
		}
		if n == nil {
			return nil, fmt.Errorf("there is no %s", short(o.text))
		}
	}
	return n, nil
}

func (o operand) number(n *model.Node) (int64, error) {
	if v, err := strconv.ParseInt(wholeDigits(o.text), 0, 64); err == nil {
		return v, nil
	}
	target, err := o.node(n)
	if err != nil {
		return 0, err
	}
	if v, ok := wholeValue(target.Value); ok {
		return v, nil
	}
	return 0, fmt.Errorf("%s is not a whole number", short(o.text))
}

// numberOr is number of an operand that may be left out.
func (o operand) numberOr(n *model.Node, other int64) (int64, error) {
	if !o.isSet() {
		return other, nil
	}
	return o.number(n)
}

// word returns a word, or the name or the text of the value at the path.
func (o operand) word(n *model.Node) (string, error) {
	if slices.Contains(o.words, strings.ToLower(o.text)) {
		return o.text, nil
	}
	target, err := o.node(n)
	if err != nil {
		return "", err
	}
	if s := target.Symbol(); s != "" {
		return s, nil
	}
	return fmt.Sprint(target.Value), nil
}

// blob returns where the bytes of an attribute are: of a field of bytes, or of numbers in the file.
func (o operand) blob(src *model.Source, n *model.Node) (model.Blob, error) {
	target, err := o.node(n)
	if err != nil {
		return model.Blob{}, err
	}
	switch v := target.Value.(type) {
	case model.Blob:
		return v, nil
	case model.Numbers:
		return model.Blob{Source: v.Source, Span: model.Span{Offset: v.Offset, Size: v.Count * v.Form.Size()}}, nil
	}
	if target.Size == 0 {
		return model.Blob{}, fmt.Errorf("%s has no bytes", short(o.text))
	}
	return model.Blob{Source: src, Span: target.Span}, nil
}

// maxViewBytes is the maximum number of bytes of a picture, a sound, or a text of a view, which are held in memory.
const maxViewBytes = 256 << 20

// bytes returns the bytes of an operand, at most limit of them unless limit is negative.
func (o operand) bytes(src *model.Source, n *model.Node, limit int64) ([]byte, error) {
	b, err := o.blob(src, n)
	if err != nil {
		return nil, err
	}
	if limit >= 0 {
		b.Span.Size = min(b.Span.Size, limit)
	}
	if b.Span.Size > maxViewBytes {
		return nil, fmt.Errorf("%s has %d bytes; at most %d are displayed", short(o.text), b.Span.Size, maxViewBytes)
	}
	return b.Source.Bytes(b.Span)
}

// choices are words for numbers, such as the formats of pixels by their numbers.
type choices map[string]string

func (c *choices) read(r *yamlReader, e entry) error {
	entries, err := r.mapping(e)
	*c = make(choices, len(entries))
	for _, e := range entries {
		text, err := e.scalar()
		if err != nil {
			return err
		}
		(*c)[e.key] = text
	}
	return err
}

// viewName is assetName with the extension of the exported file, even if the label has another.
func viewName(n *model.Node, extension string) string {
	name := assetName(n, extension)
	return strings.TrimSuffix(name, path.Ext(name)) + extension
}

func sourceOf(name string, parts ...[]byte) *model.Source {
	b := bytes.Join(parts, nil)
	return model.NewSource(name, bytes.NewReader(b), int64(len(b)))
}

// fileMaker makes a file that other programs read of the bytes of an object.
type fileMaker interface {
	file(src *model.Source, n *model.Node) (*model.Source, error)
	open(ctx context.Context, file *model.Source) (model.View, error)
	operands() []operand
}

// fileViewer views and exports the file that an object becomes.
type fileViewer struct {
	fileMaker
	extension string
	mediaType string // "" if it is not known
}

func (v fileViewer) view(ctx context.Context, src *model.Source, n *model.Node) (model.View, error) {
	file, err := v.file(src, n)
	if err != nil {
		return nil, err
	}
	return v.open(ctx, file)
}

func (v fileViewer) addContent(src *model.Source, n *model.Node, to *model.Payload) {
	to.Name, to.MediaType = viewName(n, v.extension), cmp.Or(v.mediaType, to.MediaType)
	to.Open = openerOf(func(context.Context) (*model.Source, error) { return v.file(src, n) })
}

// openerOf returns the function that opens an asset with the bytes of a view.
func openerOf(file func(ctx context.Context) (*model.Source, error)) func(context.Context) (io.ReadCloser, error) {
	return func(ctx context.Context) (io.ReadCloser, error) {
		src, err := file(ctx)
		if err != nil {
			return nil, err
		}
		return io.NopCloser(src.Reader(model.Span{Size: src.Size()})), nil
	}
}

// view returns the view of a node of a described file: by the -assay-view of its type, of the whole file by its
// content, or of a block of bytes that is a file of a supported type. Other nodes have none.
func view(ctx context.Context, src *model.Source, n *model.Node) (model.View, error) {
	if v := viewOf(n); v != nil {
		return v.viewer.view(ctx, src, n)
	}
	if n.Parent == nil {
		return content.View(ctx, src)
	}
	b, ok := n.Value.(model.Blob)
	if !ok {
		return nil, nil
	}
	inner := b.Source.Section(n.Name, b.Span)
	if !content.KindOf(inner).IsKnown() {
		return nil, nil
	}
	return content.View(ctx, inner)
}

// linkView makes a field of an object a link: to the node at an offset or at a path, to an element of a list by its
// index or its name, or to a file.
type linkView struct {
	location
	Field operand `key:"field"`
	To    operand `key:"to"`   // one of the words, or the path of the node
	In    operand `key:"in"`   // the list
	Base  operand `key:"base"` // added to an offset; 0 if left out
}

// Words of a link.
const (
	toOffset = "offset"
	toIndex  = "index"
	toName   = "name"
	toFile   = "file"
)

// links are the links of a type; one may be without a list.
type links []*linkView

func (l *links) read(r *yamlReader, e entry) (err error) {
	*l, err = readEach(r, e, r.listOrOne, func(e entry) (*linkView, error) {
		v := &linkView{location: e.location}
		v.To.words = []string{toOffset, toIndex, toName, toFile}
		if err := r.keys(e, v); err != nil {
			return nil, err
		}
		switch isList := v.To.text == toIndex || v.To.text == toName; {
		case !v.Field.isSet() || !v.To.isSet():
			return nil, e.fail("a link needs field and to")
		case isList != v.In.isSet():
			return nil, e.fail("in is the list of a link to an %s or a %s", toIndex, toName)
		}
		return v, nil
	})
	return err
}

// plan assigns the links to the fields of a type, which are values in its sequence, and sets the key.
func (v *objectView) plan(t *objectType) {
	if v.Key != nil {
		t.plan.key = labelTemplate{{value: v.Key, form: "dec"}}
	}
	for _, link := range v.Links {
		if a := t.names.attributes[link.Field.text]; a != nil {
			a.plan.link = link
		}
	}
}

func (v *linkView) setLink(doc *documentState, n *model.Node) {
	if v.To.text == toFile {
		if name, ok := n.Value.(string); ok && name != "" {
			n.Link = &model.Link{File: name}
		}
		return
	}
	if number, ok := wholeValue(n.Value); ok && v.To.text == toIndex && (number < 0 || number >= 1<<31) {
		return // none
	}
	n.Link = &model.Link{Target: func() (model.Path, bool) {
		if to := v.target(doc, n); to != nil {
			return to.Path(), true
		}
		return nil, false
	}}
}

// target returns the node that a leaf links to, or nil.
func (v *linkView) target(doc *documentState, n *model.Node) *model.Node {
	from := objectAround(n)
	if from == nil {
		return nil
	}
	switch v.To.text {
	case toOffset:
		offset, _ := wholeValue(n.Value)
		if base, err := v.Base.numberOr(from, 0); err == nil && doc.document != nil {
			return outermostAt(doc.document, offset+base)
		}
		return nil
	case toIndex, toName:
		return v.element(from, n)
	}
	to, _ := v.To.node(from)
	return to
}

// element returns the element of the list that a leaf of an object links to, or nil.
func (v *linkView) element(from, n *model.Node) *model.Node {
	list, err := v.In.node(from)
	if err != nil {
		return nil
	}
	first, count := list.FirstElementIndex(), list.ElementCount()
	if v.To.text == toIndex {
		if i, ok := wholeValue(n.Value); ok && i >= 0 && i < int64(count) {
			return list.Child(first + int(i))
		}
		return nil
	}
	name := fmt.Sprint(n.Value)
	for i := range min(count, maxNamed) {
		if e := list.Child(first + i); e.Key == name || e.DisplayName() == name {
			return e
		}
	}
	return nil
}

// maxNamed is the maximum number of elements that are read to find a link by name.
const maxNamed = 1 << 16

// outermostAt returns the outermost node below the root that begins at an offset, or the leaf with its byte.
func outermostAt(d *model.Document, offset int64) *model.Node {
	n := d.Owner(offset)
	for n != nil && n.Parent != nil && n.Parent.Parent != nil && n.Parent.Offset == offset {
		n = n.Parent
	}
	return n
}

func objectAround(n *model.Node) *model.Node {
	for n = n.Parent; n != nil; n = n.Parent {
		if _, ok := n.ReadAs().(*objectType); ok {
			break
		}
	}
	return n
}

// wholeValue returns the whole number that is the value of a node; 1<<62 for a larger unsigned one, which no offset or
// index reaches.
func wholeValue(value any) (int64, bool) {
	switch v := value.(type) {
	case uint64:
		return int64(min(v, 1<<62)), true
	case int64:
		return v, true
	}
	return 0, false
}
