package contents

import (
	"context"
	"strings"

	"assay/model/compare"
	"assay/model/text"
)

// ruledText is a text whose lines are compared by rules.
type ruledText struct {
	lines   []string
	keys    []string // the compared text of each line; nil: the lines themselves
	ignored []bool   // lines that do not count; nil: all count
	owners  []string // the namespace of each line of properties; nil unless the order is ignored
}

func newRuledText(ctx context.Context, t *text.Text, rules compare.TextRules) *ruledText {
	v := &ruledText{lines: text.Lines(t.Text)}
	if !rules.Any() {
		return v
	}
	var colored [][]text.Piece
	if rules.Comments {
		colored = text.Colored(ctx, t.Language, t.Text)
	}
	v.keys, v.ignored = make([]string, len(v.lines)), make([]bool, len(v.lines))
	for i, line := range v.lines {
		key := line
		if i < len(colored) {
			if code, has := withoutComments(colored[i]); has {
				key = strings.TrimRight(code, " \t")
				v.ignored[i] = strings.TrimSpace(key) == ""
			}
		}
		if rules.Indentation {
			key = strings.TrimSpace(key)
		}
		v.ignored[i] = v.ignored[i] || rules.BlankLines && strings.TrimSpace(key) == ""
		v.keys[i] = key
	}
	if rules.Order && t.Language == text.Properties {
		v.owners = namespaces(v.keys)
	}
	return v
}

// withoutComments returns a line without its comments, and false if it has no comment.
func withoutComments(pieces []text.Piece) (code string, has bool) {
	var b strings.Builder
	for _, p := range pieces {
		if p.Kind == text.Comment {
			has = true
		} else {
			b.WriteString(p.Text)
		}
	}
	return b.String(), has
}

// namespaces returns, for each line that sets a property, the namespace that it is in with those around it; empty for
// other lines.
func namespaces(lines []string) []string {
	owners := make([]string, len(lines))
	var around []string // the namespaces around the current one
	namespace, head := "", ""
	for i, line := range lines {
		s := strings.TrimSpace(line)
		switch {
		case strings.HasSuffix(s, "{"):
			if before := strings.TrimSpace(strings.TrimSuffix(s, "{")); before != "" {
				head = before
			}
			around = append(around, namespace)
			namespace, head = namespace+"\x00"+head, ""
		case s == "}":
			if n := len(around); n > 0 {
				namespace, around = around[n-1], around[:n-1]
			}
		case strings.Contains(s, "="):
			owners[i] = namespace + "\x00"
		case s != "":
			head = s
		}
	}
	return owners
}

// key returns the compared text of a line.
func (t *ruledText) key(line int) string {
	if t.keys == nil {
		return t.lines[line]
	}
	return t.keys[line]
}

func (t *ruledText) isIgnored(line int) bool { return t.ignored != nil && t.ignored[line] }

func (t *ruledText) isCounted(line int) bool { return !t.isIgnored(line) }

// countedLines returns the indexes of the lines that the rules do not ignore, and their compared texts.
func (t *ruledText) countedLines() (numbers []int, keys []string) {
	if t.ignored == nil {
		return nil, t.lines
	}
	for i := range t.lines {
		if !t.isIgnored(i) {
			numbers, keys = append(numbers, i), append(keys, t.key(i))
		}
	}
	return numbers, keys
}

// ignoreMoved ignores properties that moved within their namespace: equal removed and added lines.
func ignoreMoved(old, new *ruledText, removed, added []int) {
	addedLines := make(map[string][]int)
	for _, i := range added {
		if owner := new.owners[i]; owner != "" {
			k := owner + new.key(i)
			addedLines[k] = append(addedLines[k], i)
		}
	}
	for _, i := range removed {
		k := old.owners[i] + old.key(i)
		if indexes := addedLines[k]; old.owners[i] != "" && len(indexes) > 0 {
			old.ignored[i], new.ignored[indexes[0]] = true, true
			addedLines[k] = indexes[1:]
		}
	}
}
