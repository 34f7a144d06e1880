package compose

import (
	"context"
	"fmt"
	"math"
	"path"
	"slices"
	"strings"

	"assay/formats/gpb/properties"
	"assay/model/scene"
)

// The shapes of a text that are shown by themselves.
const (
	shapesMost = 400
	shapeStep  = 1.5 // of the largest of them
)

// Shapes returns the collision shapes of a text in rows, as lines; nil if it has none. What a shape takes from its mesh
// is that of a cube with edges of length 1.
func Shapes(ctx context.Context, file *properties.Namespace, name string) *scene.Scene {
	out := &scene.Scene{Name: strings.TrimSuffix(name, path.Ext(name))}
	left := 0
	var largest float32
	for _, of := range file.Spaces {
		if !slices.Contains(collisionKinds, of.Name) {
			continue
		}
		if len(out.Roots) == shapesMost || ctx.Err() != nil {
			left++
			continue
		}
		if lines := shapeLines(file.Space(of)); len(lines) > 0 {
			largest = max(largest, extent(lines))
			out.Roots = append(out.Roots, &scene.Node{Name: of.ID, Offset: of.Offset, Transform: scene.Identity,
				Mesh: scene.LineMesh(of.ID, lines)})
		}
	}
	if len(out.Roots) == 0 {
		return nil
	}
	scene.ArrangeInRows(out.Roots, shapeStep*largest)
	if left > 0 {
		out.Missing = append(out.Missing, fmt.Sprintf("%d more collision shapes are not drawn", left))
	}
	return out
}

// shapeLines returns the lines of the shape that a namespace describes, around the origin; nil if it describes none.
func shapeLines(s *properties.Space) []scene.Segment {
	c := collisionShape(s)
	if c == nil {
		return nil
	}
	solid := *c
	solid.Center = [3]float32{}
	if solid.Shape == scene.MeshCollision {
		solid.Shape = scene.BoxCollision
	}
	return solid.Lines(scene.Identity, scene.Reach{Low: [3]float32{-.5, -.5, -.5}, High: [3]float32{.5, .5, .5},
		Radius: .5})
}

// extent returns how wide lines around the origin are; what is out of all proportion does not count.
func extent(lines []scene.Segment) (widest float32) {
	for _, l := range lines {
		for _, f := range append(l[0][:], l[1][:]...) {
			if size := float32(math.Abs(float64(f))); size < 1e9 {
				widest = max(widest, 2*size)
			}
		}
	}
	return widest
}
