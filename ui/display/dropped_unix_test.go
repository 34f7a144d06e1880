//go:build linux || freebsd || netbsd || openbsd || dragonfly

package display

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestAddressesWithoutAPathAreHidden(t *testing.T) {
	for list, want := range map[string]string{
		"":                                      "",
		"\r\n\r\n":                              "\r\n\r\n",
		"file:///a/b\r\n":                       "file:///a/b\r\n",
		"file://host/a\r\nfile:///":             "file://host/a\r\nfile:///",
		"file://nothing":                        "#ile://nothing",
		"file://\r\nfile:///a":                  "#ile://\r\nfile:///a",
		"\nfile://x\n\nfile:///a\nfile://y\r\n": "\n#ile://x\n\nfile:///a\n#ile://y\r\n",
		"# file://x\r\n/plain/path\r\nfile:/":   "# file://x\r\n/plain/path\r\nfile:/",
	} {
		assert.Equal(t, want, hideAddresses(list), "%q", list)
	}
}
