package compose

import (
	"context"
	"fmt"
	"math"
	"path"
	"slices"
	"strings"

	"assay/formats/gpb/project"
	"assay/formats/gpb/properties"
	"assay/model/scene"
)

// collisionKinds are the names of the namespaces and properties that give nodes collision shapes: those of all years.
var collisionKinds = []string{"collisionObject", "rigidBody", "rigidbody", "ghostObject", "character", "vehicle",
	"vehicleWheel"}

// collisionShapes are the words for shapes.
var collisionShapes = map[string]scene.CollisionShape{"BOX": scene.BoxCollision, "SPHERE": scene.SphereCollision,
	"CAPSULE": scene.CapsuleCollision, "MESH": scene.MeshCollision, "HEIGHTFIELD": scene.MeshCollision}

// namedMost is how many collision shapes of files are read for one scene.
const namedMost = 10_000

// collision gives a node the collision shape of its entry, which names one of a file or describes it itself. What is
// wrong with a name is a remark on the text: nothing of the picture depends on it until shapes are asked for.
func (c *composer) collision(n *scene.Node, entry *properties.Space) {
	for _, kind := range collisionKinds {
		if name := entry.Get(kind); name != "" {
			n.Collision = c.namedShape(name)
			return
		}
	}
	for _, below := range entry.Spaces() {
		if slices.Contains(collisionKinds, below.Name) {
			n.Collision = collisionShape(below)
			return
		}
	}
}

// namedShape returns the shape that a reference means, once; nil if there is none.
func (c *composer) namedShape(name string) *scene.Collision {
	if s, ok := c.shapes[name]; ok {
		return s
	}
	if len(c.shapes) >= namedMost {
		c.resources.Notef("the scene names more than %d collision shapes, and no more are read", namedMost)
		return nil
	}
	if c.shapes == nil {
		c.shapes = make(map[string]*scene.Collision)
	}
	var shape *scene.Collision
	file, id := project.Reference(name)
	if full := c.resources.Find(file, path.Dir(c.file)).Path; full != "" {
		if text, err := c.resources.Text(full); err == nil {
			if of := text.Find(id); of != nil {
				shape = collisionShape(text.Space(of))
			}
		}
	}
	c.shapes[name] = shape
	return shape
}

// collisionShape returns the shape that a namespace describes; nil if it describes none. In 2011 the type of a body was
// its shape.
func collisionShape(s *properties.Space) *scene.Collision {
	shape, ok := collisionShapes[strings.ToUpper(s.Get("shape"))]
	if !ok {
		shape, ok = collisionShapes[strings.ToUpper(s.Get("type"))]
	}
	if !ok {
		return nil
	}
	out := &scene.Collision{Shape: shape, Radius: number(s.Get("radius"), 0), Height: number(s.Get("height"), 0),
		Absolute: s.Get("centerAbsolute") == "true"}
	if v := vector(s.Get("extents"), 3); v != nil {
		out.Size = [3]float32(v)
	}
	if v := vector(s.Get("center"), 3); v != nil {
		out.Center = [3]float32(v)
	}
	return out
}

// The shapes of a text that are shown by themselves.
const (
	shapesMost = 400
	shapeStep  = 1.5 // of the largest of them
)

// Shapes returns the collision shapes of a text in rows, as lines; nil if it has none. What a shape takes from its mesh
// is that of a cube with edges of length 1.
func Shapes(ctx context.Context, file *properties.Namespace, name string) *scene.Scene {
	out := &scene.Scene{Name: strings.TrimSuffix(name, path.Ext(name))}
	cube := scene.Reach{Low: [3]float32{-.5, -.5, -.5}, High: [3]float32{.5, .5, .5}, Radius: .5}
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
		c := collisionShape(file.Space(of))
		if c == nil {
			continue
		}
		solid := *c
		solid.Center = [3]float32{}
		if solid.Shape == scene.MeshCollision {
			solid.Shape = scene.BoxCollision
		}
		lines := solid.Lines(scene.Identity, cube)
		if len(lines) == 0 {
			continue
		}
		for _, l := range lines {
			for _, f := range append(l[0][:], l[1][:]...) {
				if size := float32(math.Abs(float64(f))); size < 1e9 {
					largest = max(largest, 2*size)
				}
			}
		}
		out.Roots = append(out.Roots, &scene.Node{Name: of.ID, Offset: of.Offset, Transform: scene.Identity,
			Mesh: scene.LineMesh(of.ID, lines)})
	}
	if len(out.Roots) == 0 {
		return nil
	}
	columns := int(math.Ceil(math.Sqrt(float64(len(out.Roots)))))
	for i, n := range out.Roots {
		n.Transform[12], n.Transform[13] = shapeStep*largest*float32(i%columns), -shapeStep*largest*float32(i/columns)
	}
	if left > 0 {
		out.Missing = append(out.Missing, fmt.Sprintf("%d more collision shapes are not drawn", left))
	}
	return out
}
