package desktop

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"unsafe"

	"golang.org/x/sys/windows"
	"golang.org/x/sys/windows/registry"
)

// All keys are below HKEY_CURRENT_USER, so that the same user can remove them and no other user is affected.
const (
	classes      = `Software\Classes`
	capabilities = `Software\Assay\Capabilities`
	registered   = `Software\RegisteredApplications`
	appName      = "Assay"
)

// HasSystem reports whether types can be registered for all users.
const HasSystem = false

// entry is one value of the registry.
type entry struct {
	key, name, data string
	yields          bool // not changed if another program has set it
}

// entries returns all values that Register writes.
func (r *Registration) entries() []entry {
	program := filepath.Base(r.Program)
	command := `"` + r.Program + `" open "%1"`
	application := classes + `\Applications\` + program
	all := []entry{
		{key: application, name: "FriendlyAppName", data: appName},
		{key: application + `\shell\open\command`, data: command},
		{key: capabilities, name: "ApplicationName", data: appName},
		{key: capabilities, name: "ApplicationDescription", data: "Inspect game and simulation asset files"},
		{key: registered, name: appName, data: capabilities},
	}
	for i, t := range r.Types {
		class := appName + "." + t.Icon
		all = append(all,
			entry{key: classes + `\` + class, data: strings.ToUpper(t.Title[:1]) + t.Title[1:]},
			entry{key: classes + `\` + class + `\DefaultIcon`, data: fmt.Sprintf("%s,-%d", r.Program, TypeIconID(i))},
			entry{key: classes + `\` + class + `\shell\open\command`, data: command})
		for _, extension := range t.Extensions() {
			all = append(all,
				entry{key: application + `\SupportedTypes`, name: extension},
				entry{key: capabilities + `\FileAssociations`, name: extension, data: class},
				entry{key: classes + `\` + extension + `\OpenWithProgids`, name: class})
		}
		for _, glob := range t.Globs {
			extension := strings.TrimPrefix(glob, "*")
			all = append(all,
				entry{key: classes + `\` + extension, data: class, yields: true},
				entry{key: classes + `\` + extension, name: "Content Type", data: t.MIME, yields: true})
		}
	}
	return all
}

// Register writes the missing values and notifies the shell. Repeated calls are safe.
func (r *Registration) Register(context.Context) error {
	wrote := 0
	for _, e := range r.entries() {
		switch done, err := e.write(); {
		case err != nil:
			return fmt.Errorf(`HKEY_CURRENT_USER\%s: %w`, e.key, err)
		case done:
			wrote++
		}
	}
	fmt.Fprintf(r.Progress, "written: %d values below HKEY_CURRENT_USER\\Software\n", wrote)
	fmt.Fprintln(r.Progress, "thumbnails: not supported in Explorer")
	notifyShell()
	return nil
}

// write writes the value. It returns false if the value is set already, or has content to which the entry yields.
func (e *entry) write() (bool, error) {
	k, _, err := registry.CreateKey(registry.CURRENT_USER, e.key, registry.QUERY_VALUE|registry.SET_VALUE)
	if err != nil {
		return false, err
	}
	defer k.Close()
	old, _, err := k.GetStringValue(e.name)
	if err == nil && (old == e.data || e.yields) {
		return false, nil
	}
	return true, k.SetStringValue(e.name, e.data)
}

// Unregister removes the unchanged values that Register wrote, then the empty keys.
func (r *Registration) Unregister(context.Context) error {
	all := r.entries()
	removed := 0
	var failed []error
	for _, e := range all {
		done, err := e.remove()
		if err != nil {
			failed = append(failed, fmt.Errorf(`HKEY_CURRENT_USER\%s: %w`, e.key, err))
		}
		if done {
			removed++
		}
	}
	var keys []string
	for _, e := range all {
		for key := e.key; key != classes && key != "Software"; key = key[:strings.LastIndexByte(key, '\\')] {
			keys = append(keys, key)
		}
	}
	slices.SortFunc(keys, func(a, b string) int { return len(b) - len(a) })
	for _, key := range slices.Compact(keys) {
		if empty(key) {
			_ = registry.DeleteKey(registry.CURRENT_USER, key)
		}
	}
	if removed == 0 {
		fmt.Fprintln(r.Progress, "nothing was registered")
		return errors.Join(failed...)
	}
	fmt.Fprintf(r.Progress, "removed: %d values\n", removed)
	notifyShell()
	return errors.Join(failed...)
}

func (e *entry) remove() (bool, error) {
	k, err := registry.OpenKey(registry.CURRENT_USER, e.key, registry.QUERY_VALUE|registry.SET_VALUE)
	if errors.Is(err, registry.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	defer k.Close()
	old, _, err := k.GetStringValue(e.name)
	if err != nil || old != e.data {
		return false, nil // missing, or set by another program now
	}
	return true, k.DeleteValue(e.name)
}

// empty reports whether a key exists and has neither values nor subkeys.
func empty(key string) bool {
	k, err := registry.OpenKey(registry.CURRENT_USER, key, registry.QUERY_VALUE)
	if err != nil {
		return false
	}
	defer k.Close()
	info, err := k.Stat()
	return err == nil && info.SubKeyCount == 0 && info.ValueCount == 0
}

// SetDefault opens the system settings, because Windows does not let a program make itself the default.
func (r *Registration) SetDefault(context.Context) error {
	fmt.Fprintln(r.Progress, "Windows requires you to choose default apps yourself: opening Settings for Assay")
	address, err := windows.UTF16PtrFromString("ms-settings:defaultapps?registeredAppUser=" + appName)
	if err != nil {
		return err
	}
	if err := windows.ShellExecute(0, nil, address, nil, nil, windows.SW_SHOWNORMAL); err != nil {
		return fmt.Errorf("cannot open the settings: %w", err)
	}
	return nil
}

var changeNotify = windows.NewLazySystemDLL("shell32.dll").NewProc("SHChangeNotify")

// notifyShell notifies Explorer of changed associations.
func notifyShell() {
	const associations = 0x08000000 // SHCNE_ASSOCCHANGED
	if changeNotify.Find() == nil {
		_, _, _ = changeNotify.Call(associations, 0, 0, 0)
	}
}

var shAddToRecentDocs = windows.NewLazySystemDLL("shell32.dll").NewProc("SHAddToRecentDocs")

// shardPath selects a path in UTF-16 (shlobj_core.h, SHARD).
const shardPath = 3

// AddRecent adds a file to the system's list of recent files. If the program is registered for the file's type, it also
// appears in the jump list of the program.
func AddRecent(path string) error {
	name, err := windows.UTF16PtrFromString(path)
	if err != nil {
		return fmt.Errorf("the list of recent files: %w", err)
	}
	if err := shAddToRecentDocs.Find(); err != nil {
		return fmt.Errorf("the list of recent files: %w", err)
	}
	_, _, _ = shAddToRecentDocs.Call(shardPath, uintptr(unsafe.Pointer(name))) // it has no result
	return nil
}
