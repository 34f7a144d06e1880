package desktop

import (
	"strings"
	"testing"

	"github.com/Microsoft/go-winio"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/windows"
)

func TestThePipeIsForItsUserAlone(t *testing.T) {
	dir := t.TempDir()
	first, err := claim(dir)
	require.NoError(t, err)
	require.NotNil(t, first)
	defer func() { assert.NoError(t, first.Close()) }()
	go first.Serve(func(Request) {})
	c, err := dial(t.Context(), dir)
	require.NoError(t, err)
	defer c.Close()

	_, user, err := endpoint(dir)
	require.NoError(t, err)
	security, err := windows.GetSecurityInfo(windows.Handle(c.(interface{ Fd() uintptr }).Fd()),
		windows.SE_KERNEL_OBJECT, windows.OWNER_SECURITY_INFORMATION|windows.DACL_SECURITY_INFORMATION)
	require.NoError(t, err)
	owner, _, err := security.Owner()
	require.NoError(t, err)
	assert.True(t, owner.Equals(user))
	text := security.String()
	assert.Equal(t, 1, strings.Count(text, "("), "one entry: %s", text)
	assert.Contains(t, text, user.String()+")", "and it is this user's")
	assert.Contains(t, text, "D:P", "nothing is inherited")
}

func TestAPipeOfAnotherUserIsNotTrusted(t *testing.T) {
	dir := t.TempDir()
	name, user, err := endpoint(dir)
	require.NoError(t, err)
	const other = "BA" // the administrators: another account even if this user is one of them
	taken, err := winio.ListenPipe(pipes+name, &winio.PipeConfig{
		SecurityDescriptor: "O:" + other + "D:(A;;GA;;;" + user.String() + ")"})
	if err != nil {
		t.Skipf("SKIPPED: this user may give nothing to the administrators: %v", err)
	}
	defer taken.Close()
	_, err = dial(t.Context(), dir)
	assert.ErrorContains(t, err, "another user")

	if second, err := winio.ListenPipe(pipes+name, nil); err == nil {
		second.Close()
		t.Skip("SKIPPED: a name can be taken twice here, as in Wine 8")
	}
	_, _, err = Start(t.Context(), dir, Request{})
	assert.Error(t, err, "this start goes on alone")
}
