package compare

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"assay/model"
)

// What is between the fields of a text does not count once no kind of it does.
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
