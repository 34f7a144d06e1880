//go:build linux || freebsd || netbsd || openbsd || dragonfly

package display

import (
	"strings"
	"testing"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/xproto"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestActionTime(t *testing.T) {
	for token, want := range map[string]uint32{"": 0, "abc": 0, "launcher_TIME42": 42,
		"a_TIME1_TIME4294967295": 4294967295} {
		got, ok := actionTime(token)
		assert.Equal(t, want != 0, ok, token)
		assert.Equal(t, want, got, token)
	}
	for _, bad := range []string{"_TIME", "_TIME-1", "_TIME4294967296", "_TIMEx"} {
		_, ok := actionTime(bad)
		assert.False(t, ok, bad)
	}
}

// The window manager hears which window to bring up and that the start is complete.
func TestRaiseX11(t *testing.T) {
	x, err := xgb.NewConn()
	require.NoError(t, err)
	defer x.Close()
	c := windowManager{x, xproto.Setup(x).DefaultScreen(x).Root}
	require.NoError(t, xproto.ChangeWindowAttributesChecked(x, c.root, xproto.CwEventMask,
		[]uint32{xproto.EventMaskPropertyChange}).Check())
	active, begin, rest := c.atom("_NET_ACTIVE_WINDOW"), c.atom("_NET_STARTUP_INFO_BEGIN"), c.atom("_NET_STARTUP_INFO")

	assert.False(t, raiseX11(7, "of Wayland"))
	token := `a "long" name-for_one-launcher_TIME77`
	require.True(t, raiseX11(7, token))
	var text strings.Builder
	activated := false
	for !strings.HasSuffix(text.String(), "\x00") || !activated {
		ev, err := x.WaitForEvent()
		require.Nil(t, err)
		e, ok := ev.(xproto.ClientMessageEvent)
		switch {
		case !ok:
		case e.Type == active && e.Window == 7:
			activated = true
			assert.Equal(t, []uint32{1, 77}, e.Data.Data32[:2])
		case e.Type == begin || e.Type == rest:
			text.WriteString(strings.TrimRight(string(e.Data.Data8), "\x00"))
			if e.Data.Data8[len(e.Data.Data8)-1] == 0 {
				text.WriteByte(0)
			}
		}
	}
	assert.Equal(t, `remove: ID="a \"long\" name-for_one-launcher_TIME77"`+"\x00", text.String())
}
