package compose

import (
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

// collision gives a node the collision shape of its entry, which names one of a file or describes it itself: of several
// the last. What is wrong with a name is a remark on the text: nothing of the picture depends on it until shapes are
// asked for. A MESH is that of the node: another node that the entry names for it (rigidBodyModel) is not looked for.
func (e *entries) collision(n *scene.Node, entry *properties.Space) {
	for _, kind := range collisionKinds {
		if name := entry.Get(kind); name != "" {
			n.Collision = e.namedShape(name)
			return
		}
	}
	for _, below := range entry.Spaces() {
		if slices.Contains(collisionKinds, below.Name) {
			n.Collision = collisionShape(below)
		}
	}
}

// namedShape returns the shape that a reference means, once; nil if there is none.
func (e *entries) namedShape(name string) *scene.Collision {
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
				shape = collisionShape(text.Space(of))
			}
		}
	}
	e.shapes[name] = shape
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
	out := &scene.Collision{Shape: shape, Radius: s.Number("radius", 0), Height: s.Number("height", 0),
		Absolute: s.Get("centerAbsolute") == "true"}
	if v := s.Vector("extents", 3); v != nil {
		out.Size = [3]float32(v)
	}
	if v := s.Vector("center", 3); v != nil {
		out.Center = [3]float32(v)
	}
	return out
}
