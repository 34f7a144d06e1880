package cli

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestFindPrintsMatchesInEveryForm searches a package in a folder, in each form.
func TestFindPrintsMatchesInEveryForm(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, os.Mkdir("art", 0o700))
	require.NoError(t, os.WriteFile("art/one.ppac", archive(t, []byte("many words")), 0o600))
	require.NoError(t, os.WriteFile("art/two.txt", []byte("Words\nand words\n"), 0o600))
	for line, want := range map[string]string{
		"find -l words":               "art/one.ppac\nart/two.txt\n",
		"find -c -i words art":        "art/one.ppac: 1\nart/two.txt: 2\n",
		"find --only *.txt words art": "art/two.txt: /content @ 0xa +5: and words\n",
		"find --most 1 -i words art":  "art/two.txt: /content @ 0x0 +5: Words\n",
		"find --in names --csv two":   "file,assets,path,offset,size,name,type,text\nart/two.txt,,,,,art/two.txt,File,\n",
		"find --in bytes --as int16 --order big 0x576f --json": `{"file":"art/two.txt","path":"/content","offset":0,` +
			`"size":2,"name":"content","type":"plain text","text":"[57 6f] 72 64 73 0a 61 6e 64 20"}` + "\n",
	} {
		status, out, messages := do(t, strings.Fields(line)...)
		assert.Zero(t, status, line+": "+messages)
		out = strings.ReplaceAll(strings.ReplaceAll(out, `\\`, "/"), `\`, "/")
		assert.True(t, strings.HasSuffix(out, want), "%s: %s", line, out)
	}
	status, out, _ := do(t, "find", "words", "art/one.ppac")
	assert.Zero(t, status)
	assert.Regexp(t, `^art/one\.ppac: 0000-0000-00000001\.\w+ @ 0x\w+ \+5: .*many words`, out)
	_, _, messages := do(t, "find", "--most", "1", "-i", "words", "art/two.txt")
	assert.Contains(t, messages, "more matches than --most 1")
	status, out, messages = do(t, "find", "--in", "names", "sise > 3", "art")
	assert.Equal(t, 2, status)
	assert.Empty(t, out)
	assert.Contains(t, messages, "sise")
}
