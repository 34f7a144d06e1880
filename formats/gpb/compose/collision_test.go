package compose_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"assay/formats/gpb/gpbtest"
	"assay/model/scene"
)

const bodies = `collisionObject box
{
    type = RIGID_BODY
    shape = BOX
    extents = 1, 2, 3
    center = 0, 1, 0
}
collisionObject heir : box
{
    shape = CAPSULE
    radius = 2
    height = 7
    centerAbsolute = true
}
rigidbody old
{
    type = SPHERE
}
collisionObject wall
{
    shape = MESH
}
collisionObject thin
{
    shape = CAPSULE
    radius = 2
    center = 0, 1, 0
}
collisionObject none
{
    shape = DREAM
}
`

func TestCollisionShapesOfAScene(t *testing.T) {
	look := gpbtest.SceneIn(t, map[string][]byte{
		"res/a.gpb":     gpbtest.Crates(t, "a", "b", "c", "d", "e", "f", "g", "h", "i"),
		"res/a.physics": []byte(bodies),
		"res/a.scene": []byte("scene s\n{\n  path = res/a.gpb\n" +
			"  node a\n  {\n    collisionObject = res/a.physics#box\n  }\n" +
			"  node b\n  {\n    collisionObject = a.physics#heir\n  }\n" +
			"  node c\n  {\n    rigidbody = res/a.physics#old\n  }\n" +
			"  node d\n  {\n    collisionObject\n    {\n      shape = BOX\n    }\n" +
			"    collisionObject\n    {\n      shape = MESH\n    }\n  }\n" +
			"  node e\n  {\n    collisionObject = res/a.physics#none\n  }\n" +
			"  node f\n  {\n    collisionObject = res/gone.physics#box\n    rigidBody\n    {\n      shape = SPHERE\n    }\n  }\n" +
			"  node g\n  {\n    collisionObject = a.physics#thin\n  }\n" +
			"  node h\n  {\n    collisionObject = a.physics#box\n    rigidBodyModel = g\n  }\n" +
			"  node i\n  {\n    collisionObject\n    {\n      shape = MESH\n    }\n    collisionMesh = g\n  }\n}\n"),
	})
	for _, file := range []string{"res/a.scene", "res/a.gpb"} {
		s := look(file)
		nodes := gpbtest.NodesByName(s)
		for _, name := range []string{"h", "i"} {
			assert.Nil(t, nodes[name].Collision, "%s in %s", name, file)
			assert.Contains(t, s.Missing, "the collision shape of "+name+" is left out: it takes the mesh of g")
		}
		for name, want := range map[string]*scene.Collision{
			"a": {Shape: scene.BoxCollision, Size: [3]float32{1, 2, 3}, Center: [3]float32{0, 1, 0}},
			"b": {Shape: scene.CapsuleCollision, Center: [3]float32{0, 1, 0}, Absolute: true, Radius: 2, Height: 7},
			"c": {Shape: scene.SphereCollision}, "d": {Shape: scene.MeshCollision}, "e": nil, "f": {Shape: scene.SphereCollision},
			"g": {Shape: scene.CapsuleCollision},
		} {
			assert.Equal(t, want, nodes[name].Collision, "%s in %s", name, file)
		}
	}
	shapes := look("res/a.physics")
	var names []string
	for _, n := range shapes.Roots {
		names = append(names, n.Name)
		assert.Equal(t, scene.Lines, n.Mesh.Parts[0].Primitive)
	}
	assert.Equal(t, []string{"box", "heir", "old", "wall", "thin"}, names, "a text of shapes shows them")
}

// TestAMillionCollisionShapes looks at a text of a million shapes, and at a scene whose nodes have as many.
func TestAMillionCollisionShapes(t *testing.T) {
	many := 1_000_000
	if testing.Short() {
		many = 20_000
	}
	var text strings.Builder
	for i := range many {
		fmt.Fprintf(&text, "rigidbody s%d\n{\ntype=BOX\n}\n", i)
	}
	look := gpbtest.SceneIn(t, map[string][]byte{"res/a.physics": []byte(text.String())})
	s := look("res/a.physics")
	require.NotEmpty(t, s.Roots)
	assert.LessOrEqual(t, len(s.Roots), 400)
	assert.Contains(t, strings.Join(s.Missing, "\n"), "more collision shapes are not drawn")
}
