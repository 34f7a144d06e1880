package gpbtest

import (
	"fmt"
	"slices"

	"assay/formats/gpb"
)

// Raw returns a file of version 1.2 with references to places in what follows the table.
func Raw(body []byte, refs ...gpb.Reference) []byte {
	size := 15
	for _, r := range refs {
		size += len(r.ID) + 12
	}
	b := order.AppendUint32(append(slices.Clone(magic), 1, 2), uint32(len(refs)))
	for _, r := range refs {
		b = append(order.AppendUint32(b, uint32(len(r.ID))), r.ID...)
		b = order.AppendUint32(order.AppendUint32(b, uint32(r.Type)), uint32(size)+r.Offset)
	}
	return append(b, body...)
}

// MeshAround returns the bytes of a mesh whose vertices are the given bytes, and how many bytes come before them.
func MeshAround(vertices []byte) (mesh []byte, before int) {
	for len(vertices)%12 > 0 {
		vertices = append(vertices, 0)
	}
	for _, v := range []int{1, 1, 3, len(vertices)} {
		mesh = order.AppendUint32(mesh, uint32(v))
	}
	before = len(mesh)
	return append(append(mesh, vertices...), make([]byte, 11*4)...), before
}

// NestedMeshes returns a file of meshes each of which is in the vertices of the one before it.
func NestedMeshes(n int) []byte {
	body, step := MeshAround(nil)
	refs := []gpb.Reference{{ID: "m0"}}
	for i := range n - 1 {
		body, _ = MeshAround(body)
		refs = append(refs, gpb.Reference{ID: fmt.Sprint("m", i+1)})
	}
	for i := range refs {
		refs[i].Type, refs[i].Offset = gpb.TypeMesh, uint32(4+step*i)
	}
	return Raw(append(order.AppendUint32(nil, 1), append(body, 0, 0, 0, 0)...), refs...)
}
