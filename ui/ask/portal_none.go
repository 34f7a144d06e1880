//go:build !unix || darwin

package ask

import "context"

// systemDialog says that there is no dialog of the desktop that could be asked.
func systemDialog(context.Context, question) (path string, ok bool) {
	return "", false
}
