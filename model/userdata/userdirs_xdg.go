//go:build !windows

package userdata

import "github.com/adrg/xdg"

// Config is the folder for settings of the user.
func Config() string { return xdg.ConfigHome }

// State is the folder for the state of a program between sessions.
func State() string { return xdg.StateHome }

// Cache is the folder for data that can be recreated.
func Cache() string { return xdg.CacheHome }

// Data is the folder for data that other programs find.
func Data() string { return xdg.DataHome }

// Runtime is the folder for data that ends with the user's session; it may not exist.
func Runtime() string { return xdg.RuntimeDir }

// Downloads is the user's own; it may not be there.
func Downloads() string { return xdg.UserDirs.Download }

// Home is the home folder.
func Home() string { return xdg.Home }
