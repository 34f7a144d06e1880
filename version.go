package main

import (
	"cmp"
	"runtime/debug"
)

// version is set by the linker (-X main.version=1.2.3): make takes it from git's tags.
var version string

// release is the version that people are told. A program that was not built by make has what the go command knows.
func release() string {
	built := ""
	if info, ok := debug.ReadBuildInfo(); ok {
		built = info.Main.Version
	}
	return cmp.Or(version, built, "unknown")
}
