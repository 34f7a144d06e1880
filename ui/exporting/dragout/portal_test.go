//go:build linux || freebsd || netbsd || openbsd || dragonfly

package dragout

import (
	"context"
	"testing"

	"github.com/godbus/dbus/v5"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/ui/desktop/bustest"
)

// brokenPortal is a document portal without methods.
type brokenPortal struct{}

// newBus starts a session bus for the test, and puts a portal on it.
func newBus(t *testing.T, portal any) {
	conn := bustest.Start(t)
	require.NoError(t, conn.Export(portal, portalPath, portalTransfer))
	_, err := conn.RequestName(portalName, dbus.NameFlagDoNotQueue)
	require.NoError(t, err)
}

func TestOtherTypesWorkIfThePortalRefuses(t *testing.T) {
	newBus(t, brokenPortal{})
	r := newWaylandRig(t)
	eventually(t, "the portal is found", func() bool { return r.platform.(*waylandSession).portal.available() })
	r.out(text("a", "a"))
	r.comes(Ready)
	r.fake.note(func() { assert.Contains(t, r.fake.types, portalType) })
	assert.Empty(t, <-r.asks(portalType))
	assert.Len(t, readURIs(t, <-r.asks(uriListType)), 1, "the others have the files all the same")
}

func TestPortalIsUnavailableWithoutABus(t *testing.T) {
	var p portal
	p.find(context.Background())
	assert.False(t, p.available())
	assert.Empty(t, p.offer(context.Background(), nil))
}
