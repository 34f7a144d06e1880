package compare

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"assay/model"
	"assay/model/folder"
)

// TestTextRulesIgnoreSpacing tests that spacing is ignored if all three rules for spacing are set.
func TestTextRulesIgnoreSpacing(t *testing.T) {
	n := &model.Node{Name: "separator", Role: model.RoleSpacing, Value: "\r\n  "}
	for rules, want := range map[TextRules]bool{{}: false, {Indentation: true, BlankLines: true}: false,
		{Indentation: true, BlankLines: true, LineEnds: true}: true} {
		o := Options{Texts: rules}
		assert.Equal(t, want, o.ignores(n), rules)
	}
	o := Options{Texts: TextRules{Indentation: true, BlankLines: true, LineEnds: true}}
	assert.False(t, o.ignores(&model.Node{Value: "x"}))
}

func TestFilesBelowAnUnreadableFolderAreNotRemoved(t *testing.T) {
	entry := func(problem string) folder.Entry { return folder.Entry{Size: 1, Problem: problem} }
	old := map[string]folder.Entry{"a/b/c": entry(""), "d": entry("")}
	new := map[string]folder.Entry{"a": entry("is a folder that cannot be read"), "e/f": entry("")}
	problems := map[string]string{}
	for _, f := range pairByName([2]map[string]folder.Entry{old, new}) {
		problems[f.Name] = f.Problem
	}
	assert.Equal(t, map[string]string{"a": "is a folder that cannot be read", "d": "", "e/f": "",
		"a/b/c": "cannot read the new folder a; this file may be in it too"}, problems)
}
