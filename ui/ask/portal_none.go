//go:build !unix || darwin

package ask

import "context"

// systemDialog returns false: there is no dialog of the desktop.
func systemDialog(context.Context, question) (path string, ok bool) {
	return "", false
}
