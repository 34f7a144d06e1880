// Package packing plans containers: of files, of containers that are loaded one over the other, of what differs in two
// of them, and of three that are merged. Package ppac reads what they are made of, and package write writes them.
//
//	packer.go     Packer, and the plan of a container        files.go       containers of files
//	side.go       containers beside each other, by TPU       difference.go  what differs of an asset in two of them
//	selection.go  containers of assets of other ones         order.go       the order in which those are written
//	patch.go      stacks, patches, one asset replaced        merge.go       what changed in two made from one
//
// To follow one asset: side.go finds it in each container, difference.go compares it, selection.go copies it; order.go
// says where it stands in what is made of several.
//
// Contents of the later revision that have one SHA-256 in their indexes are taken for the same and are not read: where
// the content of one is damaged and its sum is not, nothing differs. Verify finds it.
//
// What is made of containers has the order of their indexes, so that a comparison shows no moves: a patch that of the
// new one, a stack that of its lowest layer, a merged container that of mine. What another adds stands where it does
// there: before the same asset, and where that leaves several places, by file name.
package packing
