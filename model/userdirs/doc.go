// Package userdirs says where the programs of a user keep what is theirs. The variables of the XDG base directories
// count on every system.
package userdirs
