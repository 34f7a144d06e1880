package compose

import (
	"cmp"
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

// collision gives a node the collision shape of its entry, unless it is to take the mesh of another node. What is wrong
// with the name of a shape is a remark on the text: nothing of the picture depends on it until shapes are asked for.
func (e *entries) collision(n *scene.Node, entry *properties.Space) {
	shape := e.entryShape(entry)
	if other := cmp.Or(entry.Get("rigidBodyModel"), entry.Get("collisionMesh")); shape != nil && other != "" {
		e.resources.Notef("the collision shape of %s is not shown: it uses the mesh of %s", n.Name, other)
	} else if shape != nil {
		n.Collision = shape
	}
}

// entryShape returns the shape of an entry: one of a file that it names, of several kinds the first in the order of
// collisionKinds and of one kind the last; else the last that it describes itself; nil if it has none.
func (e *entries) entryShape(entry *properties.Space) (shape *scene.Collision) {
	for _, kind := range collisionKinds {
		if shape = e.namedShape(entry.Last(kind)); shape != nil {
			return shape
		}
	}
	for _, below := range entry.Spaces() {
		if slices.Contains(collisionKinds, below.Name) {
			shape = cmp.Or(collisionShape(below), shape)
		}
	}
	return shape
}

// namedShape returns the shape that a reference means, once; nil if there is none.
func (e *entries) namedShape(name string) *scene.Collision {
	if name == "" {
		return nil
	}
	if s, ok := e.shapes[name]; ok {
		return s
	}
	if len(e.shapes) >= namedMost {
		e.resources.Notef("the scene names more than %d collision shapes, and no more are read", namedMost)
		return nil
	}
	var shape *scene.Collision
	file, id := project.Reference(name)
	if full := e.resources.Find(file, path.Dir(e.file)).Path; full != "" {
		if text, err := e.resources.Text(full); err == nil {
			if of := text.Find(id); of != nil {
				shape = collisionShape(e.resources.Space(text, of))
			}
		}
	}
	e.shapes[name] = shape
	return shape
}

// collisionShape returns the shape that a namespace describes; nil if it describes none. In 2011 the type of a body was
// its shape. As in the engine (PhysicsCollisionShape::Definition), one without all of its lengths is that of the mesh,
// and has no center of its own.
func collisionShape(s *properties.Space) *scene.Collision {
	shape, ok := collisionShapes[strings.ToUpper(s.Get("shape"))]
	if !ok {
		shape, ok = collisionShapes[strings.ToUpper(s.Get("type"))]
	}
	if !ok {
		return nil
	}
	out := &scene.Collision{Shape: shape}
	size, radius, height := s.Vector("extents", 3), s.Number("radius", 0), s.Number("height", 0)
	switch {
	case shape == scene.BoxCollision && size != nil:
		out.Size = [3]float32(size)
	case shape == scene.SphereCollision && radius != 0:
		out.Radius = radius
	case shape == scene.CapsuleCollision && radius != 0 && height != 0:
		out.Radius, out.Height = radius, height
	default:
		return out
	}
	out.Absolute = s.Get("centerAbsolute") == "true"
	if v := s.Vector("center", 3); v != nil {
		out.Center = [3]float32(v)
	}
	return out
}
