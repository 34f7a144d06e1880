package properties

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"assay/formats/decode"
	"assay/model"
)

// parentProblem returns the error of the parent of a namespace: it does not exist, or the chain of parents is a cycle
// or too long. It returns "" if there is no error.
func (n *Namespace) parentProblem() string {
	if n.ParentID == "" {
		return ""
	}
	chain := n.heritage()
	next := chain[len(chain)-1].inherited
	switch {
	case n.inherited == nil:
		return fmt.Sprintf("there is no %s at this level; the parent is ignored",
			model.OneLine(strings.ToValidUTF8(n.ParentID, "\uFFFD"), 60))
	case next == nil:
		return ""
	case slices.Contains(chain, next):
		return fmt.Sprintf("%s inherits from itself through its parents; the cycle is ignored",
			model.OneLine(n.Key(), 60))
	}
	return fmt.Sprintf("%s has more than %d levels of parents; the rest is ignored",
		model.OneLine(n.Key(), 60), maxParents-1)
}

// numbersBroken reports whether a reader, but not the engine, would see a number after the first ones of a value, since
// blanks or an f are before the comma. n is the number that the engine sees.
func numbersBroken(value string) (n int, broken bool) {
	if value == "" || !strings.Contains(value, ",") || value[0] > '9' {
		return 0, false // most values
	}
	values, rest := numbers(value)
	next, comma := strings.CutPrefix(strings.TrimLeft(strings.TrimPrefix(rest, "f"), lineBlanks), ",")
	return len(values), comma && rest[0] != ',' && decimal.MatchString(strings.TrimLeft(next, lineBlanks))
}

// checkBareName notes the name of a property without "=" that looks like something else.
func checkBareName(c *decode.Cursor, name string) {
	switch {
	case !strings.ContainsFunc(name, func(r rune) bool { return r >= utf8.RuneSelf || isWord(byte(r)) }):
		c.Remark(model.Note, c.Node(), "%q is not a name, and no { follows", model.OneLine(name, 60))
	case slices.Contains([]string{"node", "technique", "pass", "sampler", "renderState", "scene", "clip"}, name):
		c.Remark(model.Note, c.Node(), "%s begins no namespace: no { follows", name)
	}
}

// checkValue notes a value that looks like something else.
func (r *parser) checkValue(c *decode.Cursor, p Property) {
	switch v := p.Value; {
	case hasComment(v):
		c.Warnf("this is part of the value: comments are only recognized at the start of a line")
	case strings.HasSuffix(v, "}") && !strings.Contains(v, "{"):
		c.Warnf("this } is part of the value and does not close the namespace")
	}
	if p.occurrence > 1 {
		c.Notef("duplicate %s (occurrence %d); the engine uses the last value of uniforms, render states, aliases, "+
			"and of the url, material, light, camera, terrain, and collision shape of a node, but the first value of "+
			"other properties; before 2014 it used the last value of all", model.OneLine(p.Name, 60), p.occurrence)
	}
	if isVariable(p.Value) && !r.variables[p.Value] {
		c.Notef("%s is never set; the engine uses its default", model.OneLine(p.Value, 60))
	}
	if n, ok := numbersBroken(p.Value); ok {
		c.Notef("the engine reads only %d of these numbers: no blank is allowed before a comma", n)
	}
}

// hasComment reports whether a text looks as if it had a comment.
func hasComment(text string) bool {
	return strings.HasPrefix(text, "//") || strings.Contains(text, " //") || strings.Contains(text, "\t//")
}

// linkValue sets the link of a value that names a file, and remarks if the file was not found.
func (r *parser) linkValue(c *decode.Cursor, value string) {
	if r.link == nil {
		return
	}
	link, missing := r.link(value)
	if leaf := c.Last(); leaf != nil {
		leaf.Link = link
	}
	if missing == "" {
		return
	}
	c.Notef("%s", missing)
	if leaf := c.Last(); leaf != nil && c.Err() == nil && link != nil && link.Resolve == nil {
		problems := leaf.Problems()
		problems[len(problems)-1].Absent = true
	}
}

// linkParent sets the link of the parent of a namespace, and remarks on its errors.
func (r *parser) linkParent(c *decode.Cursor, n *Namespace) {
	if problem := n.parentProblem(); problem != "" {
		c.Warnf("%s", problem)
	} else if leaf := c.Last(); leaf != nil && n.inherited != nil {
		leaf.Link = &model.Link{Key: n.inherited.Key(),
			Target: func() (model.Path, bool) { return r.path(n.inherited) }}
	}
}
