//go:build unix && !darwin

package ask

import (
	"context"
	"fmt"
	"testing"

	"github.com/godbus/dbus/v5"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/ui/desktop/bustest"
)

// chooser is a portal whose user answers at once.
type chooser struct {
	conn    *dbus.Conn
	answers chan uint32 // answers of the user: 0 means chosen
	uri     string
	folders chan string
	filters chan string
}

// OpenFile is the portal's method.
func (c *chooser) OpenFile(_, _ string, options map[string]dbus.Variant) (dbus.ObjectPath, *dbus.Error) {
	b, _ := options["current_folder"].Value().([]byte)
	filters := options["filters"].Value()
	c.folders <- string(b)
	c.filters <- fmt.Sprint(filters)
	status := <-c.answers
	path := dbus.ObjectPath(portalPath + "/request/1")
	go func() {
		_ = c.conn.Emit("/another/request", portalRequest+".Response", uint32(0),
			map[string]dbus.Variant{"uris": dbus.MakeVariant([]string{"file:///wrong"})})
		_ = c.conn.Emit(path, portalRequest+".Response", status,
			map[string]dbus.Variant{"uris": dbus.MakeVariant([]string{c.uri})})
	}()
	return path, nil
}

// SaveFile is the portal's method.
func (c *chooser) SaveFile(parent, title string, options map[string]dbus.Variant) (dbus.ObjectPath, *dbus.Error) {
	path, err := c.OpenFile(parent, title, options)
	<-c.folders
	<-c.filters
	name, _ := options["current_name"].Value().(string)
	c.folders <- name
	return path, err
}

// Get returns the version.
func (c *chooser) Get(string, string) (dbus.Variant, *dbus.Error) {
	return dbus.MakeVariant(uint32(3)), nil
}

func TestTheDesktopsDialogIsUsed(t *testing.T) {
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere")
	_, ok := systemDialog(context.Background(), question{title: "Open"})
	assert.False(t, ok, "without a bus")
	conn := bustest.Start(t)
	c := &chooser{conn: conn, uri: "file:///tmp/a%20b+c%25.gpb", answers: make(chan uint32, 1),
		folders: make(chan string, 2), filters: make(chan string, 2)}
	require.NoError(t, conn.Export(c, portalPath, portalChooser))
	require.NoError(t, conn.Export(c, portalPath, "org.freedesktop.DBus.Properties"))
	_, err := conn.RequestName(portalName, dbus.NameFlagDoNotQueue)
	require.NoError(t, err)

	c.answers <- 0
	path, ok := systemDialog(context.Background(), question{title: "Open", folder: "/tmp",
		extensions: []string{".gpb"}})
	assert.True(t, ok)
	assert.Equal(t, "/tmp/a b+c%.gpb", path)
	assert.Equal(t, "/tmp\x00", <-c.folders)
	assert.Contains(t, <-c.filters, "*.gpb")
	c.answers <- 1
	path, ok = systemDialog(context.Background(), question{title: "Open", folder: "/tmp", directory: true,
		extensions: []string{".gpb"}})
	assert.True(t, ok)
	assert.Empty(t, path, "the user closed it")
	assert.Equal(t, "/tmp\x00", <-c.folders)
	assert.Equal(t, "<nil>", <-c.filters)
	c.answers <- 0
	path, ok = systemDialog(context.Background(), question{title: "Save", folder: "/tmp", name: "a.png"})
	assert.True(t, ok)
	assert.Equal(t, "/tmp/a b+c%.gpb", path)
	assert.Equal(t, "a.png", <-c.folders)
}

func TestInvalidResponsesAreErrors(t *testing.T) {
	for _, body := range [][]any{nil, {uint32(0)}, {uint32(0), map[string]dbus.Variant{}},
		{uint32(0), map[string]dbus.Variant{"uris": dbus.MakeVariant([]string{"https://host/x"})}}} {
		path, err := chosenPath(body)
		assert.Error(t, err)
		assert.Empty(t, path)
	}
}
