//go:build unix && !darwin

// Package bustest provides a session bus for tests.
package bustest

import (
	"bufio"
	"os/exec"
	"strings"
	"testing"

	"github.com/godbus/dbus/v5"
	"github.com/stretchr/testify/require"
)

// Start starts a session bus for the test, sets its address in the environment, and returns a connection to it.
func Start(t *testing.T) *dbus.Conn {
	t.Helper()
	daemon := exec.Command("dbus-daemon", "--session", "--nofork", "--nopidfile", "--print-address")
	out, err := daemon.StdoutPipe()
	if err != nil || daemon.Start() != nil {
		t.Skip("there is no dbus-daemon")
	}
	t.Cleanup(func() { _ = daemon.Process.Kill(); _ = daemon.Wait() })
	address, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err)
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", strings.TrimSpace(address))
	conn, err := dbus.ConnectSessionBus()
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	return conn
}
