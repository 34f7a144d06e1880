package cli

import (
	"cmp"
	"runtime/debug"
)

// version is what Main was given: the linker sets it in package main (-X main.version=1.2.3).
var version string

// release is the version that people are told. A program that was not built by make has what the go command knows.
func release() string {
	built := ""
	if info, ok := debug.ReadBuildInfo(); ok {
		built = info.Main.Version
	}
	return cmp.Or(version, built, "unknown")
}
