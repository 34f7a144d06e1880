package picture

import (
	"bytes"
	"cmp"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/fyne-io/oksvg"
	"golang.org/x/net/html/charset"
)

// svgNode is an element of a drawing. It may be written many times, and so keeps only the written data.
type svgNode struct {
	name     string
	attrs    []xml.Attr // in svgAttributes, each once
	style    *string    // of its rules and its own; nil until it is written
	children []*svgNode
	isOpen   bool // being written: a use of it would have no end
}

func (n *svgNode) attr(name string) string {
	for _, a := range n.attrs {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// svgDocument is a drawing that is written out without references.
type svgDocument struct {
	root      *svgNode
	named     map[string]*svgNode
	gradients []*svgNode
	rules     map[string][]string // declarations that are read, by selector: ".class", "#id", "path"
	out       bytes.Buffer
	elements  int
}

var errSVGElements = fmt.Errorf("the drawing has more than %d elements, including repeated ones", svgElements)

// flattenSVG returns a drawing that has only visible elements, without references: the targets of use elements are
// inserted, and the styles of classes become attributes of the elements.
func flattenSVG(r io.Reader) (io.Reader, error) {
	d := &svgDocument{named: map[string]*svgNode{}, rules: map[string][]string{}}
	if err := d.read(r); err != nil {
		return nil, err
	}
	if d.root == nil {
		return nil, errors.New("there is no drawing")
	}
	d.elements = 0
	d.writeStart("svg", d.root, svgStyle+" viewBox width height ")
	for _, g := range d.gradients {
		if err := d.writeGradient(g); err != nil {
			return nil, err
		}
	}
	if err := d.writeContent(d.root, 1); err != nil {
		return nil, err
	}
	d.writeEnd("svg")
	return &d.out, nil
}

// read reads all elements and styles.
func (d *svgDocument) read(r io.Reader) error {
	decoder := xml.NewDecoder(r)
	decoder.CharsetReader = charset.NewReaderLabel
	var path []*svgNode
	var style strings.Builder
	for {
		token, err := decoder.Token()
		switch {
		case errors.Is(err, io.EOF):
			d.addRules(style.String())
			return nil
		case err != nil:
			return err
		}
		switch t := token.(type) {
		case xml.StartElement:
			n := &svgNode{name: t.Name.Local, attrs: readAttributes(t.Attr)}
			if d.elements++; d.elements > svgElements {
				return errSVGElements
			}
			if len(path) >= svgDepth {
				return errSVGDepth
			}
			if len(path) > 0 {
				parent := path[len(path)-1]
				parent.children = append(parent.children, n)
			} else if d.root == nil && n.name == "svg" {
				d.root = n
			}
			if id := n.attr("id"); id != "" && d.named[id] == nil {
				d.named[id] = n
			}
			if n.name == "linearGradient" || n.name == "radialGradient" {
				d.gradients = append(d.gradients, n)
			}
			path = append(path, n)
		case xml.EndElement:
			path = path[:len(path)-1]
		case xml.CharData:
			if len(path) > 0 && path[len(path)-1].name == "style" {
				style.Write(t)
			}
		}
	}
}

var errSVGDepth = fmt.Errorf("the drawing has more than %d elements within each other", svgDepth)

// readAttributes returns the attributes that have a meaning here.
func readAttributes(attrs []xml.Attr) (read []xml.Attr) {
	for _, a := range attrs {
		if (a.Name.Space == "" || a.Name.Local == "href") && contains(svgAttributes, a.Name.Local) &&
			isReadable(a.Name.Local, a.Value) &&
			!slices.ContainsFunc(read, func(b xml.Attr) bool { return a.Name.Local == b.Name.Local }) {
			read = append(read, a)
		}
	}
	return read
}

// contains reports whether a name is in a list of names, with blanks around each.
func contains(list, name string) bool { return strings.Contains(list, " "+name+" ") }

// addRules notes the rules of style sheets for single classes, ids and elements.
func (d *svgDocument) addRules(sheet string) {
	for rule := range strings.SplitSeq(withoutComments(sheet), "}") {
		selectors, declarations, _ := strings.Cut(rule, "{")
		if declarations = validDeclarations(declarations); declarations == "" {
			continue
		}
		for s := range strings.SplitSeq(selectors, ",") {
			s = strings.TrimSpace(s)
			d.rules[s] = append(d.rules[s], declarations)
		}
	}
}

func withoutComments(sheet string) string {
	var text strings.Builder
	for {
		before, after, found := strings.Cut(sheet, "/*")
		text.WriteString(before)
		if !found {
			return text.String()
		}
		_, sheet, _ = strings.Cut(after, "*/")
	}
}

// writeContent writes the elements within another.
func (d *svgDocument) writeContent(n *svgNode, depth int) error {
	n.isOpen = true
	defer func() { n.isOpen = false }()
	for _, c := range n.children {
		if err := d.writeElement(c, depth); err != nil {
			return err
		}
	}
	return nil
}

// writeElement writes an element if it is visible: the content of a clipPath, a mask or defs is not.
func (d *svgDocument) writeElement(n *svgNode, depth int) error {
	if depth > svgDepth {
		return errSVGDepth
	}
	if err := d.checkLimits(); err != nil {
		return err
	}
	switch n.name {
	case "svg", "g", "a", "switch":
		d.writeStart("g", n, svgStyle)
		if err := d.writeContent(n, depth+1); err != nil {
			return err
		}
		d.writeEnd("g")
	case "use":
		return d.writeUse(n, depth)
	case "line", "rect", "circle", "ellipse", "polyline", "polygon", "path":
		d.writeStart(n.name, n, svgStyle+svgShape)
		d.writeEnd(n.name)
	}
	return d.checkLimits()
}

// The attributes that the library reads, of all elements, of shapes and of gradients; and all that are read here.
const (
	svgStyle = " fill stroke stroke-linegap stroke-leadlinecap stroke-linecap stroke-linejoin stroke-miterlimit " +
		"stroke-width stroke-dashoffset stroke-dasharray opacity stroke-opacity fill-opacity transform "
	svgShape      = " x y width height rx ry cx cy r x1 y1 x2 y2 points d "
	svgGradient   = " id x1 y1 x2 y2 r cx cy fx fy gradientTransform gradientUnits spreadMethod "
	svgAttributes = svgStyle + svgShape + svgGradient + " viewBox class style href offset stop-opacity stop-color "
)

// writeUse writes the element that another refers to.
func (d *svgDocument) writeUse(n *svgNode, depth int) error {
	target := d.named[strings.TrimPrefix(n.attr("href"), "#")]
	if target == nil {
		return nil
	}
	if target.isOpen {
		return fmt.Errorf("the drawing contains itself: use refers to #%s, which contains it", target.attr("id"))
	}
	d.writeStart("g", n, svgStyle)
	if x, y := n.attr("x"), n.attr("y"); x != "" || y != "" {
		d.out.WriteString(`<g transform="translate(`)
		d.writeEscaped(cmp.Or(x, "0") + "," + cmp.Or(y, "0"))
		d.out.WriteString(`)">`)
		defer d.writeEnd("g")
	}
	defer d.writeEnd("g")
	if target.name == "symbol" {
		return d.writeContent(target, depth+1)
	}
	target.isOpen = true
	defer func() { target.isOpen = false }()
	return d.writeElement(target, depth+1)
}

// writeGradient writes a gradient. A color that is not given is black: the library would copy all stops for each use.
func (d *svgDocument) writeGradient(n *svgNode) error {
	d.writeStart(n.name, n, svgGradient)
	stops := 0
	for _, c := range n.children {
		if c.name != "stop" {
			continue
		}
		if stops++; stops > svgStops {
			return fmt.Errorf("the drawing has a gradient of more than %d colors", svgStops)
		}
		d.writeStart("stop", c, " offset stop-opacity ")
		d.writeEnd("stop")
	}
	d.writeEnd(n.name)
	return d.checkLimits()
}

func (d *svgDocument) checkLimits() error {
	switch {
	case d.elements > svgElements:
		return errSVGElements
	case d.out.Len() > svgExpanded:
		return fmt.Errorf("the drawing is larger than %d bytes, including repeated elements", svgExpanded)
	}
	return nil
}

// writeStart writes the start of an element with the attributes that are read.
func (d *svgDocument) writeStart(name string, n *svgNode, read string) {
	d.elements++
	d.out.WriteString("<" + name)
	for _, a := range n.attrs {
		if contains(read, a.Name.Local) {
			d.writeAttribute(a.Name.Local, a.Value)
		}
	}
	switch {
	case name == "stop":
		color := n.attr("stop-color")
		if !isReadable("fill", color) || strings.TrimSpace(color) == "" || color == "none" {
			color = "black"
		}
		d.writeAttribute("stop-color", color)
	case strings.HasPrefix(read, svgStyle):
		if n.style == nil {
			n.style = new(d.styleOf(n))
		}
		d.writeAttribute("style", *n.style)
	}
	d.out.WriteString(">")
}

// styleOf returns the style of an element: rules come before its own, which count more.
func (d *svgDocument) styleOf(n *svgNode) string {
	selectors := []string{n.name}
	for class := range strings.FieldsSeq(n.attr("class")) {
		selectors = append(selectors, "."+class)
	}
	var style strings.Builder
	for _, s := range append(selectors, "#"+n.attr("id")) {
		for _, declarations := range d.rules[s] {
			if style.Len() > svgExpanded {
				break
			}
			style.WriteString(declarations)
		}
	}
	style.WriteString(validDeclarations(n.attr("style")))
	return style.String()
}

// validDeclarations returns the declarations that are read and valid.
func validDeclarations(declarations string) string {
	var read strings.Builder
	for declaration := range strings.SplitSeq(declarations, ";") {
		name, value, _ := strings.Cut(declaration, ":")
		name, value = strings.ToLower(strings.TrimSpace(name)), strings.TrimSpace(value)
		if contains(svgStyle, name) && isReadable(name, value) {
			read.WriteString(name + ":" + value + ";")
		}
	}
	return read.String()
}

// isReadable reports whether the library can read a color: an invalid one would end its reading.
func isReadable(name, value string) bool {
	if name != "fill" && name != "stroke" {
		return true
	}
	_, err := oksvg.ParseSVGColor(value)
	return err == nil
}

func (d *svgDocument) writeAttribute(name, value string) {
	d.out.WriteString(" " + name + `="`)
	d.writeEscaped(value)
	d.out.WriteString(`"`)
}

func (d *svgDocument) writeEscaped(s string) { _ = xml.EscapeText(&d.out, []byte(s)) } // a buffer takes everything

func (d *svgDocument) writeEnd(name string) { d.out.WriteString("</" + name + ">") }
