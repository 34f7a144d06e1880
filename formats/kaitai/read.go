package kaitai

import (
	"bytes"
	"cmp"
	"reflect"
	"regexp"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"assay/model"
)

// Bounds on a description, so that one made to do harm is refused early.
const (
	maxFile    = model.DescriptionMost
	maxNesting = 100      // types within types
	maxNodes   = maxSigns // of YAML, with aliases followed: without aliases there are no more
	// Only aliases make more of a file of 1 MB. An attribute takes some 1 KB of memory.
	maxAttributes = 1 << 17
	maxTypes      = 20_000
	maxSigns      = 1 << 19 // that may begin a node of YAML: its nodes are larger than its text
)

// reader reads the YAML of one description. The first error ends it.
type reader struct {
	file        string
	description *Description
	known       map[reflect.Type][]knownKey
	nodes       int
	types       int
	attributes  int
	depth       int
}

// read returns the description in the text of a file; its names are not resolved yet.
func read(file string, text []byte) (*Description, error) {
	d := &Description{File: file, Imports: make(map[string]*Type), texts: map[string]string{file: string(text)}}
	r := &reader{file: file, description: d, known: make(map[reflect.Type][]knownKey)}
	whole := place{file: file}
	if len(text) > maxFile {
		return nil, whole.fail("the description has %d bytes; %d are allowed", len(text), maxFile)
	}
	signs := 0
	for _, sign := range []string{"\n", ",", ":", "[", "{"} {
		signs += bytes.Count(text, []byte(sign))
	}
	if signs > maxSigns {
		return nil, whole.fail("the description has more than %d lines, commas, colons and brackets", maxSigns)
	}
	var doc yaml.Node
	if err := yaml.Unmarshal(text, &doc); err != nil {
		return nil, whole.syntax(err)
	}
	if len(doc.Content) == 0 {
		return nil, whole.fail("the description is empty; it begins with `meta`")
	}
	top := doc.Content[0]
	d.Root = new(Type)
	if err := d.Root.read(r, entry{value: top, place: r.at(top, "")}); err != nil {
		return nil, err
	}
	meta := d.Root.Meta
	if meta.ID == "" {
		return nil, r.at(top, "/meta/id").fail("the id of the description is missing")
	}
	d.ID, d.Title, d.Extensions = meta.ID, cmp.Or(meta.Title, meta.ID), meta.Extensions
	return d, nil
}

// yamlLine is how the library says where something is.
var yamlLine = regexp.MustCompile(`^yaml: (?:line (\d+): )?`)

// syntax returns an error of the YAML with its line.
func (p place) syntax(err error) error {
	message := err.Error()
	if found := yamlLine.FindStringSubmatch(message); found != nil {
		p.line, _ = strconv.Atoi(found[1])
		message = strings.TrimPrefix(message, found[0])
	}
	return p.fail("this is not YAML: %s", message)
}
