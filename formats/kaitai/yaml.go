package kaitai

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"assay/formats/kaitai/expression"
)

// yamlLine is how the library says where something is.
var yamlLine = regexp.MustCompile(`^yaml: (?:line (\d+): )?`)

// syntax returns an error of the YAML with its line.
func (r *reader) syntax(err error) error {
	message := err.Error()
	found := yamlLine.FindStringSubmatch(message)
	p := place{file: r.file}
	if found != nil {
		p.line, _ = strconv.Atoi(found[1])
		message = message[len(found[0]):]
	}
	return p.fail("this is not YAML: %s", message)
}

// at returns the place of a node.
func (r *reader) at(n *yaml.Node, path string) place {
	return place{file: r.file, line: n.Line, path: path}
}

// entry is a key of a mapping with its value.
type entry struct {
	key   string
	value *yaml.Node
	where place
}

// key is a key that a mapping may have, and what reads its value; nil passes over it.
type key struct {
	name string
	read func(entry) error
}

// into returns what reads a value into a variable.
func into[T any](to *T, read func(entry) (T, error)) func(entry) error {
	return func(e entry) (err error) {
		*to, err = read(e)
		return err
	}
}

// keys reads the keys of a mapping, which must be among those that are known. Keys that begin with a hyphen are other
// programs' and are passed over unless they are known.
func (r *reader) keys(e entry, known ...key) error {
	entries, err := r.mapping(e)
	if err != nil {
		return err
	}
	for _, e := range entries {
		i := slices.IndexFunc(known, func(k key) bool { return k.name == e.key })
		switch {
		case i >= 0 && known[i].read != nil:
			if err := known[i].read(e); err != nil {
				return err
			}
		case i < 0 && !strings.HasPrefix(e.key, "-"):
			names := make([]string, len(known))
			for i, k := range known {
				names[i] = k.name
			}
			return e.where.fail("unknown key; expected: %s", strings.Join(names, ", "))
		}
	}
	return nil
}

// mapping returns the entries of a mapping.
func (r *reader) mapping(e entry) ([]entry, error) {
	n, path := e.value, e.where.path
	if n.Kind != yaml.MappingNode {
		return nil, r.at(n, path).fail("a mapping is expected, not %s", kindOf(n))
	}
	var entries []entry
	seen := make(map[string]bool, len(n.Content)/2)
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		e := entry{key: key.Value, where: r.at(key, path+"/"+key.Value)}
		if key.Kind != yaml.ScalarNode {
			return nil, e.where.fail("a key is expected, not %s", kindOf(key))
		}
		if seen[e.key] {
			return nil, e.where.fail("the key stands here a second time")
		}
		seen[e.key] = true
		var err error
		if e.value, err = r.follow(value, e.where.path); err != nil {
			return nil, err
		}
		entries = append(entries, e)
	}
	return entries, nil
}

// follow returns what an alias stands for, and counts the node.
func (r *reader) follow(n *yaml.Node, path string) (*yaml.Node, error) {
	if r.nodes++; r.nodes > maxNodes {
		return nil, r.at(n, path).fail("the description has more than %d nodes", maxNodes)
	}
	if n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	return n, nil
}

// list returns the elements of a sequence.
func (r *reader) list(e entry) ([]entry, error) {
	if e.value.Kind != yaml.SequenceNode {
		return nil, e.where.fail("a list is expected, not %s", kindOf(e.value))
	}
	elements := make([]entry, len(e.value.Content))
	for i, n := range e.value.Content {
		path := e.where.path + "/" + strconv.Itoa(i)
		n, err := r.follow(n, path)
		if err != nil {
			return nil, err
		}
		elements[i] = entry{key: strconv.Itoa(i), value: n, where: r.at(n, path)}
	}
	return elements, nil
}

// oneOrList returns the elements of a sequence, or the value itself where it is none.
func (r *reader) oneOrList(e entry) ([]entry, error) {
	if e.value.Kind != yaml.SequenceNode {
		return []entry{e}, nil
	}
	return r.list(e)
}

func kindOf(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode:
		return "a mapping"
	case yaml.SequenceNode:
		return "a list"
	case yaml.ScalarNode:
		return strconv.Quote(n.Value)
	}
	return "an alias"
}

// scalar returns the text of a value.
func (e entry) scalar() (string, error) {
	if e.value.Kind != yaml.ScalarNode {
		return "", e.where.fail("a value is expected, not %s", kindOf(e.value))
	}
	return e.value.Value, nil
}

// boolean returns true or false.
func (e entry) boolean() (bool, error) {
	text, err := e.scalar()
	if err == nil && text != "true" && text != "false" {
		err = e.where.fail("true or false is expected, not %q", text)
	}
	return text == "true", err
}

// oneByte returns a number from 0 to 255 as a byte.
func (e entry) oneByte() ([]byte, error) {
	text, err := e.scalar()
	if err != nil {
		return nil, err
	}
	n, err := strconv.ParseUint(strings.ReplaceAll(text, "_", ""), 0, 8)
	if err != nil {
		return nil, e.where.fail("a whole number from 0 to 255 is expected, not %q", short(text))
	}
	return []byte{byte(n)}, nil
}

// expression parses an expression.
func (e entry) expression() (*expression.Expression, error) {
	text, err := e.scalar()
	if err != nil {
		return nil, err
	}
	return e.where.parse(text)
}

// parse parses the text of an expression that stands at a place.
func (p place) parse(text string) (*expression.Expression, error) {
	parsed, err := expression.Parse(text)
	if err != nil {
		return nil, p.fail("parsing the expression %q failed: %v", short(text), err)
	}
	return parsed, nil
}

// short cuts a text that is too long for a sentence.
func short(text string) string {
	const most = 60
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + "..."
	}
	return text
}

// identifier is what the names of attributes, types and enumerations look like.
var identifier = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)

// name returns a name.
func (e entry) name() (string, error) {
	text, err := e.scalar()
	if err == nil {
		err = e.checkID(text)
	}
	return text, err
}

// checkID returns an error if a name is not what those of attributes, types and enumerations look like.
func (e entry) checkID(text string) error {
	if identifier.MatchString(text) {
		return nil
	}
	return e.where.fail("invalid id: %q, expected: /%s/", short(text), identifier)
}

// texts returns one text or a list of them.
func (r *reader) texts(e entry) ([]string, error) {
	list, err := r.oneOrList(e)
	if err != nil {
		return nil, err
	}
	texts := make([]string, len(list))
	for i, e := range list {
		if texts[i], err = e.scalar(); err != nil {
			return nil, err
		}
	}
	return texts, nil
}
