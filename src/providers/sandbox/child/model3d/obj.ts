import type { Pixels } from '../image/raster.ts'
import type { Mesh } from './sculpture.ts'

/**
 * Encodes the mesh as an OBJ file. OBJ stores textures in other files, so each vertex has the colour of its texture position, as three
 * extra numbers that most programs read. `name` is one line; its backslashes are replaced, because they would continue the comment.
 */
export function objOf({ positions, normals, places, indices }: Mesh, { texture, name }: { texture: Pixels; name: string }): string {
  const lines = [`# ${name.replaceAll('\\', ' ')}`, 'o sculpture']
  for (let vertex = 0; vertex < positions.length / 3; vertex += 1) {
    const colour = colourAt(texture, places[vertex * 2] ?? 0, places[vertex * 2 + 1] ?? 0)
    lines.push(`v ${numbers(positions, vertex, 3)} ${colour.map((part) => (part / 255).toFixed(3)).join(' ')}`)
  }
  for (let vertex = 0; vertex < places.length / 2; vertex += 1) {
    lines.push(`vt ${(places[vertex * 2] ?? 0).toFixed(5)} ${(1 - (places[vertex * 2 + 1] ?? 0)).toFixed(5)}`)
  }
  for (let vertex = 0; vertex < normals.length / 3; vertex += 1) lines.push(`vn ${numbers(normals, vertex, 3)}`)
  for (let index = 0; index < indices.length; index += 3) {
    const corners = [0, 1, 2].map((corner) => (indices[index + corner] ?? 0) + 1)
    lines.push(`f ${corners.map((corner) => `${corner}/${corner}/${corner}`).join(' ')}`)
  }
  return `${lines.join('\n')}\n`
}

function numbers(source: Float32Array, vertex: number, width: number): string {
  return Array.from(source.subarray(vertex * width, vertex * width + width), (value) => value.toFixed(5)).join(' ')
}

function colourAt({ data, width, height, channels }: Pixels, across: number, down: number): number[] {
  const [column, row] = [Math.min(width - 1, Math.floor(across * width)), Math.min(height - 1, Math.floor(down * height))]
  return [...data.subarray((row * width + column) * channels, (row * width + column) * channels + 3)]
}
