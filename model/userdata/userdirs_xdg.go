//go:build !windows

package userdata

import "github.com/adrg/xdg"

// Config is for what the user has set.
func Config() string { return xdg.ConfigHome }

// State is for what a program remembers from one start to the next.
func State() string { return xdg.StateHome }

// Cache is for what can be made again.
func Cache() string { return xdg.CacheHome }

// Data is for what other programs find.
func Data() string { return xdg.DataHome }

// Runtime is for what goes with the session of the user; it may not be there.
func Runtime() string { return xdg.RuntimeDir }

// Downloads is the user's own; it may not be there.
func Downloads() string { return xdg.UserDirs.Download }

// Home is the home folder.
func Home() string { return xdg.Home }
