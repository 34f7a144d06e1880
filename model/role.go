package model

// Role is what a node's value means to the file as a whole. The decoder sets it; nothing guesses it from a name.
type Role uint8

// A node has at most one role.
const (
	RoleNone      Role = iota
	RoleSize           // how many bytes something takes
	RoleCount          // how many elements there are
	RoleOffset         // where something begins
	RoleIndex          // which element of a list is meant
	RoleName           // a part of the name or path that a thing has for itself
	RoleTime           // when something happened
	RolePlace          // where a thing is in space, along one axis
	RoleElsewhere      // what is below was read from elsewhere in the file: it owns only bytes that nothing else owns
	RoleColor          // red, green, blue and perhaps alpha, from 0 to 1
	RoleSum            // a checksum or a digest of bytes elsewhere in the file
	RoleSpacing        // blanks, line ends and signs between the fields of a text: another spacing says the same
)

// Layout reports whether values of the role follow from the file's own layout: such a value changes when something else
// grows, and a comparison does not count that as a change.
func (r Role) Layout() bool { return RoleSize <= r && r <= RoleIndex }
