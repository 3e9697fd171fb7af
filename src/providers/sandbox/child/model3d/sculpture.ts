import type { Random } from '../random.ts'

/** A closed surface: three numbers per position and normal, two per texture coordinate, three indices per triangle. */
export type Mesh = { positions: Float32Array; normals: Float32Array; places: Float32Array; indices: Uint32Array }

const columns = 72
const rows = 44

/** A sphere of about unit radius, deformed by a few waves that `random` chooses. */
export function sculpture(random: Random): Mesh {
  const radiusAt = waves(random)
  const count = (columns + 1) * (rows + 1)
  const mesh = {
    positions: new Float32Array(count * 3),
    normals: new Float32Array(count * 3),
    places: new Float32Array(count * 2),
    indices: triangles(),
  }
  for (let row = 0; row <= rows; row += 1) {
    for (let column = 0; column <= columns; column += 1) {
      const vertex = row * (columns + 1) + column
      const polar = (row / rows) * Math.PI
      // The last column has exactly the angle of the first, without rounding differences.
      const around = ((column % columns) / columns) * 2 * Math.PI
      const radius = radiusAt(polar, around)
      mesh.positions.set(
        [radius * Math.sin(polar) * Math.sin(around), radius * Math.cos(polar), radius * Math.sin(polar) * Math.cos(around)],
        vertex * 3,
      )
      mesh.places.set([column / columns, row / rows], vertex * 2)
    }
  }
  setNormals(mesh)
  return mesh
}

/** The waves are zero at both poles, where all columns meet. */
function waves(random: Random): (polar: number, around: number) => number {
  const parts = Array.from({ length: 4 }, () => ({
    around: random.whole(1, 6),
    down: random.whole(1, 5),
    phase: random.between(0, 6.28),
    height: random.between(0.03, 0.13),
  }))
  const stretch = random.between(0.8, 1.2)
  return (polar, around) => {
    const bulge = parts.reduce(
      (sum, part) => sum + part.height * Math.sin(part.around * around + part.phase) * Math.cos(part.down * polar),
      0,
    )
    return stretch + bulge * Math.sin(polar) ** 2
  }
}

function triangles(): Uint32Array {
  const indices: number[] = []
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1) {
      const upper = row * (columns + 1) + column
      const lower = upper + columns + 1
      if (row > 0) indices.push(upper, lower, upper + 1)
      if (row < rows - 1) indices.push(upper + 1, lower, lower + 1)
    }
  }
  return Uint32Array.from(indices)
}

/** Sums the face normals around each vertex, also across the seam and at the poles, and normalises them. */
function setNormals({ positions, normals, indices }: Mesh): void {
  const at = (source: Float32Array, vertex: number) =>
    [source[vertex * 3] ?? 0, source[vertex * 3 + 1] ?? 0, source[vertex * 3 + 2] ?? 0] as const
  const add = (vertex: number, direction: readonly number[]) => {
    for (let axis = 0; axis < 3; axis += 1) normals[vertex * 3 + axis] = (normals[vertex * 3 + axis] ?? 0) + (direction[axis] ?? 0)
  }
  for (let index = 0; index < indices.length; index += 3) {
    const corners = [indices[index] ?? 0, indices[index + 1] ?? 0, indices[index + 2] ?? 0] as const
    const [a, b, c] = [at(positions, corners[0]), at(positions, corners[1]), at(positions, corners[2])]
    const [p, q] = [minus(b, a), minus(c, a)]
    const direction = [p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]]
    for (const vertex of corners) add(vertex, direction)
  }
  for (const group of sharedPoints()) {
    const sum = group
      .map((vertex) => at(normals, vertex))
      .reduce((one, other) => [one[0] + other[0], one[1] + other[1], one[2] + other[2]] as const)
    for (const vertex of group) normals.set(sum, vertex * 3)
  }
  for (let vertex = 0; vertex < normals.length / 3; vertex += 1) {
    const [x, y, z] = at(normals, vertex)
    const length = Math.hypot(x, y, z) || 1
    normals.set([x / length, y / length, z / length], vertex * 3)
  }
}

type Point = readonly [number, number, number]

function minus(one: Point, other: Point): Point {
  return [one[0] - other[0], one[1] - other[1], one[2] - other[2]]
}

/** Groups of vertices at the same position with different texture coordinates: the ends of each row, and the rows at the poles. */
function sharedPoints(): number[][] {
  const width = columns + 1
  const pole = (row: number) => Array.from({ length: width }, (_, column) => row * width + column)
  const seam = Array.from({ length: rows - 1 }, (_, index) => [(index + 1) * width, (index + 1) * width + columns])
  return [pole(0), pole(rows), ...seam]
}
