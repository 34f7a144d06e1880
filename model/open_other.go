//go:build !windows

package model

import "os"

func openShared(path string) (*os.File, error) { return os.Open(path) }
