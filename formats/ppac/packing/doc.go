// Package packing makes containers: of files, of containers that are loaded one over the other, of what differs in two
// of them, and of three that are merged. What is read of them comes from package ppac, and package write writes them.
//
//	pack.go   Packer; containers of files, and of assets that are copied
//	patch.go  containers beside each other: stacks, patches, one asset replaced
//	merge.go  what changed in two containers that were made from one
package packing
