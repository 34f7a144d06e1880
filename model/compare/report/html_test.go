package report

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestPageDoesNotBreakWordsAtHyphens(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"plain, -5 and a - b", "plain, -5 and a - b"},
		{"[25, 1.17e-38]", "[25, <span class=word>1.17e-38]</span>"},
		{`a "wall-north" <b-c>`, `a <span class=word>&#34;wall-north&#34;</span> <span class=word>&lt;b-c&gt;</span>`},
		{strings.Repeat("long-", 10), strings.Repeat("long-", 10)},
		{"a-b/c-d", "<span class=word>a-b</span>/<span class=word>c-d</span>"},
	} {
		assert.Equal(t, c.want, unbroken(c.text))
	}
	assert.Equal(t, "<span class=word>a-b</span>/<wbr>c/<wbr><span class=word>&lt;d-e</span>", breakable("a-b/c/<d-e"))
}
