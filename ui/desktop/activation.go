package desktop

import "os"

// TakeToken returns the token by which the desktop lets this start bring a window to the front; empty if it gave none.
// It leaves the environment, as programs that this one starts must not use it again.
func TakeToken() string {
	var token string
	// X11's, and Wayland's, which counts more
	for _, name := range []string{"DESKTOP_STARTUP_ID", "XDG_ACTIVATION_TOKEN"} {
		if t := os.Getenv(name); t != "" {
			token = t
			_ = os.Unsetenv(name) // it has no reason to fail
		}
	}
	return token
}
