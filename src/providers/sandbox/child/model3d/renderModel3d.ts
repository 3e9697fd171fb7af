import { writeFile } from 'node:fs/promises'
import { Document, WebIO } from '@gltf-transform/core'
import type { Model3dTask } from '../../renderTask.ts'
import { fromPixels, type Pixels } from '../image/raster.ts'
import { makeRandom } from '../random.ts'
import { titleOf } from '../title.ts'
import { drawTexture } from './drawTexture.ts'
import { type Mesh, sculpture } from './sculpture.ts'

/** Makes a sculpture with a shape from the prompt and the seed, and a texture with the prompt or the inputs. */
export async function renderModel3d(task: Model3dTask, resultPath: string): Promise<void> {
  const mesh = sculpture(makeRandom('form', task.prompt, task.seed))
  const texture = await drawTexture(task)
  const name = titleOf(task.prompt) || 'sculpture'
  if (task.format === 'obj') {
    await writeFile(resultPath, objOf(mesh, { texture, name }))
    return
  }
  const picture = await fromPixels(texture).jpeg({ quality: 85 }).toBuffer()
  await writeFile(resultPath, await glbOf(mesh, { texture: picture, name }))
}

/** A GLB file with one mesh and one texture. `texture` is a JPEG file, `name` any text. */
async function glbOf(mesh: Mesh, { texture, name }: { texture: Uint8Array; name: string }): Promise<Uint8Array> {
  const document = new Document()
  document.getRoot().getAsset().generator = 'Atelier sandbox'
  const buffer = document.createBuffer()
  const accessor = (type: 'VEC2' | 'VEC3' | 'SCALAR', array: Float32Array | Uint32Array) =>
    document.createAccessor().setType(type).setArray(array.slice()).setBuffer(buffer)
  const surface = document
    .createMaterial('surface')
    .setBaseColorTexture(document.createTexture('prompt').setImage(Uint8Array.from(texture)).setMimeType('image/jpeg'))
    .setMetallicFactor(0.1)
    .setRoughnessFactor(0.65)
  const primitive = document
    .createPrimitive()
    .setAttribute('POSITION', accessor('VEC3', mesh.positions))
    .setAttribute('NORMAL', accessor('VEC3', mesh.normals))
    .setAttribute('TEXCOORD_0', accessor('VEC2', mesh.places))
    .setIndices(accessor('SCALAR', mesh.indices))
    .setMaterial(surface)
  const node = document.createNode(name).setMesh(document.createMesh(name).addPrimitive(primitive))
  document.createScene(name).addChild(node)
  return new WebIO().writeBinary(document)
}

/**
 * Encodes the mesh as an OBJ file. OBJ stores textures in other files, so each vertex has the colour of its texture position, as three
 * extra numbers that most programs read. `name` is one line; its backslashes are replaced, because they would continue the comment.
 */
function objOf({ positions, normals, places, indices }: Mesh, { texture, name }: { texture: Pixels; name: string }): string {
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
