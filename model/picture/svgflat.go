package picture

import (
	"bytes"
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
	open     bool // being written: a use of it would have no end
}

func (n *svgNode) attr(name string) string {
	for _, a := range n.attrs {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// svgDocument is a drawing as it is written out without references.
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
	d.begin("svg", d.root, svgStyle+" viewBox width height ")
	for _, g := range d.gradients {
		if err := d.gradient(g); err != nil {
			return nil, err
		}
	}
	if err := d.content(d.root, 1); err != nil {
		return nil, err
	}
	d.end("svg")
	return &d.out, nil
}

// read reads all elements and styles.
func (d *svgDocument) read(r io.Reader) error {
	decoder := xml.NewDecoder(r)
	decoder.CharsetReader = charset.NewReaderLabel
	var within []*svgNode
	var style strings.Builder
	for {
		token, err := decoder.Token()
		switch {
		case errors.Is(err, io.EOF):
			d.styles(style.String())
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
			if len(within) >= svgDepth {
				return errSVGDepth
			}
			if len(within) > 0 {
				above := within[len(within)-1]
				above.children = append(above.children, n)
			} else if d.root == nil && n.name == "svg" {
				d.root = n
			}
			if id := n.attr("id"); id != "" && d.named[id] == nil {
				d.named[id] = n
			}
			if n.name == "linearGradient" || n.name == "radialGradient" {
				d.gradients = append(d.gradients, n)
			}
			within = append(within, n)
		case xml.EndElement:
			within = within[:len(within)-1]
		case xml.CharData:
			if len(within) > 0 && within[len(within)-1].name == "style" {
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
			valid(a.Name.Local, a.Value) &&
			!slices.ContainsFunc(read, func(b xml.Attr) bool { return a.Name.Local == b.Name.Local }) {
			read = append(read, a)
		}
	}
	return read
}

// contains reports whether a name is in a list of names, with blanks around each.
func contains(list, name string) bool { return strings.Contains(list, " "+name+" ") }

// styles notes the rules of style sheets for single classes, ids and elements.
func (d *svgDocument) styles(sheet string) {
	for rule := range strings.SplitSeq(withoutComments(sheet), "}") {
		selectors, declarations, _ := strings.Cut(rule, "{")
		if declarations = declare(declarations); declarations == "" {
			continue
		}
		for s := range strings.SplitSeq(selectors, ",") {
			s = strings.TrimSpace(s)
			d.rules[s] = append(d.rules[s], declarations)
		}
	}
}

func withoutComments(sheet string) string {
	var path strings.Builder
	for {
		before, after, found := strings.Cut(sheet, "/*")
		path.WriteString(before)
		if !found {
			return path.String()
		}
		_, sheet, _ = strings.Cut(after, "*/")
	}
}

// content writes the elements within another.
func (d *svgDocument) content(n *svgNode, depth int) error {
	n.open = true
	defer func() { n.open = false }()
	for _, c := range n.children {
		if err := d.element(c, depth); err != nil {
			return err
		}
	}
	return nil
}

// element writes an element if it is visible: the content of a clipPath, a mask or defs is not.
func (d *svgDocument) element(n *svgNode, depth int) error {
	if depth > svgDepth {
		return errSVGDepth
	}
	if err := d.checkLimits(); err != nil {
		return err
	}
	switch n.name {
	case "svg", "g", "a", "switch":
		d.begin("g", n, svgStyle)
		if err := d.content(n, depth+1); err != nil {
			return err
		}
		d.end("g")
	case "use":
		return d.use(n, depth)
	case "line", "rect", "circle", "ellipse", "polyline", "polygon", "path":
		d.begin(n.name, n, svgStyle+svgShape)
		d.end(n.name)
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

// use writes the element that another refers to.
func (d *svgDocument) use(n *svgNode, depth int) error {
	to := d.named[strings.TrimPrefix(n.attr("href"), "#")]
	if to == nil {
		return nil
	}
	if to.open {
		return fmt.Errorf("the drawing contains itself: use refers to #%s, which contains it", to.attr("id"))
	}
	d.begin("g", n, svgStyle)
	if x, y := n.attr("x"), n.attr("y"); x != "" || y != "" {
		d.out.WriteString(`<g transform="translate(`)
		d.escape(orZero(x) + "," + orZero(y))
		d.out.WriteString(`)">`)
		defer d.end("g")
	}
	defer d.end("g")
	if to.name == "symbol" {
		return d.content(to, depth+1)
	}
	to.open = true
	defer func() { to.open = false }()
	return d.element(to, depth+1)
}

func orZero(s string) string {
	if s == "" {
		return "0"
	}
	return s
}

// gradient writes a gradient. A color that is not given is black: the library would copy all stops for each use.
func (d *svgDocument) gradient(n *svgNode) error {
	d.begin(n.name, n, svgGradient)
	stops := 0
	for _, c := range n.children {
		if c.name != "stop" {
			continue
		}
		if stops++; stops > svgStops {
			return fmt.Errorf("the drawing has a gradient of more than %d colors", svgStops)
		}
		d.begin("stop", c, " offset stop-opacity ")
		d.end("stop")
	}
	d.end(n.name)
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

// begin writes the start of an element with the attributes that are read.
func (d *svgDocument) begin(name string, n *svgNode, read string) {
	d.elements++
	d.out.WriteString("<" + name)
	for _, a := range n.attrs {
		if contains(read, a.Name.Local) {
			d.value(a.Name.Local, a.Value)
		}
	}
	switch {
	case name == "stop":
		color := n.attr("stop-color")
		if !valid("fill", color) || strings.TrimSpace(color) == "" || color == "none" {
			color = "black"
		}
		d.value("stop-color", color)
	case strings.HasPrefix(read, svgStyle):
		if n.style == nil {
			n.style = new(d.styleOf(n))
		}
		d.value("style", *n.style)
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
	style.WriteString(declare(n.attr("style")))
	return style.String()
}

// declare returns the declarations that are read and valid.
func declare(declarations string) string {
	var read strings.Builder
	for declaration := range strings.SplitSeq(declarations, ";") {
		name, value, _ := strings.Cut(declaration, ":")
		name, value = strings.ToLower(strings.TrimSpace(name)), strings.TrimSpace(value)
		if contains(svgStyle, name) && valid(name, value) {
			read.WriteString(name + ":" + value + ";")
		}
	}
	return read.String()
}

// valid reports whether the library can read a color: an invalid one would end its reading.
func valid(name, value string) bool {
	if name != "fill" && name != "stroke" {
		return true
	}
	_, err := oksvg.ParseSVGColor(value)
	return err == nil
}

func (d *svgDocument) value(name, value string) {
	d.out.WriteString(" " + name + `="`)
	d.escape(value)
	d.out.WriteString(`"`)
}

func (d *svgDocument) escape(s string) { _ = xml.EscapeText(&d.out, []byte(s)) } // a buffer takes everything

func (d *svgDocument) end(name string) { d.out.WriteString("</" + name + ">") }
