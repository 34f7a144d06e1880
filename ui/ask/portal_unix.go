//go:build unix && !darwin

package ask

import (
	"context"
	"crypto/rand"
	"errors"
	"net/url"
	"strings"

	"github.com/godbus/dbus/v5"
)

// The desktop portal's dialog of files.
const (
	portalName    = "org.freedesktop.portal.Desktop"
	portalPath    = "/org/freedesktop/portal/desktop"
	portalChooser = "org.freedesktop.portal.FileChooser"
	portalRequest = "org.freedesktop.portal.Request"
)

// systemDialog opens the dialog of the desktop. To open a file, it lists files with the given extensions first. ok is
// false if the desktop has no dialog; path is empty if the user canceled.
func systemDialog(ctx context.Context, q question) (path string, ok bool) {
	conn, err := dbus.ConnectSessionBus(dbus.WithContext(ctx))
	if err != nil {
		return "", false
	}
	defer conn.Close()
	desktop := conn.Object(portalName, portalPath)
	if _, err := desktop.GetProperty(portalChooser + ".version"); err != nil {
		return "", false // there is no portal, or it has no file dialog
	}
	if conn.AddMatchSignal(dbus.WithMatchInterface(portalRequest), dbus.WithMatchMember("Response")) != nil {
		return "", false
	}
	answers := make(chan *dbus.Signal, 8)
	conn.Signal(answers)
	method, options := "OpenFile", map[string]dbus.Variant{"handle_token": dbus.MakeVariant("assay" + rand.Text())}
	switch {
	case q.name != "":
		method, options["current_name"] = "SaveFile", dbus.MakeVariant(q.name)
	case q.directory:
		options["directory"] = dbus.MakeVariant(true)
	case len(q.extensions) > 0:
		options["filters"] = dbus.MakeVariant(filters(q.extensions))
	}
	if q.folder != "" {
		options["current_folder"] = dbus.MakeVariant(append([]byte(q.folder), 0))
	}
	var request dbus.ObjectPath
	if err := desktop.CallWithContext(ctx, portalChooser+"."+method, 0, "", q.title,
		options).Store(&request); err != nil {
		return "", false
	}
	for {
		select {
		case <-ctx.Done():
			return "", true
		case s, open := <-answers:
			if !open {
				return "", true
			}
			if s.Path == request {
				path, _ := chosenPath(s.Body)
				return path, true
			}
		}
	}
}

// portalFilter is a kind of files as the dialog lists it.
type portalFilter struct {
	Name     string
	Patterns []portalPattern
}

type portalPattern struct {
	Kind uint32 // 0: a pattern of the name
	Text string
}

// filters lists files with these extensions first, and all others on request.
func filters(extensions []string) []portalFilter {
	supported := portalFilter{Name: knownKinds}
	for _, e := range extensions {
		supported.Patterns = append(supported.Patterns, portalPattern{Text: "*" + e},
			portalPattern{Text: "*" + strings.ToUpper(e)})
	}
	return []portalFilter{supported, {allKinds, []portalPattern{{Text: "*"}}}}
}

var errAnswer = errors.New("the system file dialog returned an invalid response")

// chosenPath reads the answer of the dialog; the path is empty if the user closed it.
func chosenPath(body []any) (string, error) {
	if len(body) != 2 {
		return "", errAnswer
	}
	status, ok := body[0].(uint32)
	results, hasResults := body[1].(map[string]dbus.Variant)
	if !ok || !hasResults || status != 0 {
		return "", nil
	}
	uris, ok := results["uris"].Value().([]string)
	if !ok || len(uris) == 0 {
		return "", errAnswer
	}
	u, err := url.Parse(uris[0])
	if err != nil || u.Scheme != "file" || !strings.HasPrefix(u.Path, "/") {
		return "", errAnswer
	}
	return u.Path, nil
}
