package query_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"assay/model/query"
)

func TestWhatTheRulesShowIsRead(t *testing.T) {
	l := list()
	l.Fields = true
	for _, r := range query.Rules {
		f, err := query.Parse(r.Written, l)
		assert.NoError(t, err, r.Written)
		assert.False(t, f.Empty(), r.Written)
		assert.Contains(t, query.Page(), "  "+r.Written+" ")
	}
}
