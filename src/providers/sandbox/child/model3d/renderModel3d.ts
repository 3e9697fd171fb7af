import { writeFile } from 'node:fs/promises'
import { Document, WebIO } from '@gltf-transform/core'
import type { Model3dTask } from '../../renderTask.ts'
import { fromPixels } from '../image/raster.ts'
import { makeRandom } from '../random.ts'
import { titleOf } from '../title.ts'
import { drawTexture } from './drawTexture.ts'
import { objOf } from './obj.ts'
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
