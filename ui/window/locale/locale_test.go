package locale

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestMisreadFindsTheVariableThatDecides(t *testing.T) {
	for _, tt := range []struct {
		want string
		env  map[string]string
	}{
		{"", nil},
		{"LANG", map[string]string{"LANG": "C.UTF-8"}},
		{"LC_ALL", map[string]string{"LC_ALL": "C.utf8", "LANG": "de_DE.UTF-8"}},
		{"", map[string]string{"LC_ALL": "de_DE.UTF-8", "LANG": "C.UTF-8"}},
		{"LC_MESSAGES", map[string]string{"LC_MESSAGES": "C.UTF-8", "LANG": "C.UTF-8"}},
		{"", map[string]string{"LANG": "C"}},
		{"", map[string]string{"LANG": "POSIX"}},
	} {
		assert.Equal(t, tt.want, misread(func(name string) string { return tt.env[name] }), tt.env)
	}
}
