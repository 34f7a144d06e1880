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

// mapping returns the entries of a mapping. Its keys must be among those that are known, which nil does not ask; keys
// that begin with a hyphen are other programs' and are left out unless they are known.
func (r *reader) mapping(n *yaml.Node, path string, known []string) ([]entry, error) {
	n, err := r.follow(n, path)
	if err != nil {
		return nil, err
	}
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
		if known != nil && !slices.Contains(known, e.key) {
			if strings.HasPrefix(e.key, "-") {
				continue
			}
			return nil, e.where.fail("unknown key; expected: %s", strings.Join(known, ", "))
		}
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

// number returns a whole number from least to most.
func (e entry) number(least, most int64) (int64, error) {
	text, err := e.scalar()
	if err != nil {
		return 0, err
	}
	n, err := strconv.ParseInt(strings.ReplaceAll(text, "_", ""), 0, 64)
	if err != nil || n < least || n > most {
		return 0, e.where.fail("a whole number from %d to %d is expected, not %q", least, most, text)
	}
	return n, nil
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
	if err == nil && !identifier.MatchString(text) {
		err = e.where.fail("invalid id: %q, expected: /%s/", short(text), identifier)
	}
	return text, err
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
