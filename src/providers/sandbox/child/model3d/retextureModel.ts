import { readFile, writeFile } from 'node:fs/promises'
import { type Document, type Primitive, WebIO } from '@gltf-transform/core'
import type { RetextureTask } from '../../renderTask.ts'
import { fromPixels } from '../image/raster.ts'
import { inputsOf, requiredInput, unusableInput } from '../inputRefused.ts'
import { drawTexture } from './drawTexture.ts'

/**
 * Gives all surfaces of a GLB file one new texture with the prompt, over the input image if there is one. Shapes and animations stay.
 * Throws `InputRefused` for a file that cannot be read, has no surface, or needs an extension.
 */
export async function retextureModel(task: RetextureTask, resultPath: string): Promise<void> {
  const bytes = await readFile(requiredInput(inputsOf(task.inputs, 'model'), 0).path)
  const texture = await drawTexture({ ...task, inputs: inputsOf(task.inputs, 'image') })
  const picture = await fromPixels(texture).jpeg({ quality: 85 }).toBuffer()
  const file = await retextured(bytes, picture).catch((cause: unknown) => {
    throw unusableInput(cause)
  })
  await writeFile(resultPath, file)
}

async function retextured(glb: Uint8Array, picture: Uint8Array): Promise<Uint8Array> {
  const io = new WebIO()
  const document = await io.readBinary(Uint8Array.from(glb))
  const root = document.getRoot()
  const primitives = root.listMeshes().flatMap((mesh) => mesh.listPrimitives())
  if (primitives.length === 0) throw new Error('no surface')
  for (const old of [...root.listMaterials(), ...root.listTextures()]) old.dispose()
  const surface = document
    .createMaterial('surface')
    .setBaseColorTexture(document.createTexture('prompt').setImage(Uint8Array.from(picture)).setMimeType('image/jpeg'))
    .setMetallicFactor(0.1)
    .setRoughnessFactor(0.65)
  for (const primitive of primitives) {
    primitive.setMaterial(surface)
    if (!primitive.getAttribute('TEXCOORD_0')) addPlaces(document, primitive)
  }
  return io.writeBinary(document)
}

/** Adds texture coordinates to a surface without them: the directions from its centre, as on a globe. */
function addPlaces(document: Document, primitive: Primitive): void {
  const positions = primitive.getAttribute('POSITION')
  if (!positions) throw new Error('no positions')
  const [low, high] = [positions.getMin([]), positions.getMax([])]
  const centre = low.map((value, axis) => (value + (high[axis] ?? value)) / 2)
  const places = new Float32Array(positions.getCount() * 2)
  const point: number[] = []
  for (let vertex = 0; vertex < positions.getCount(); vertex += 1) {
    positions.getElement(vertex, point)
    const [x, y, z] = [0, 1, 2].map((axis) => (point[axis] ?? 0) - (centre[axis] ?? 0)) as [number, number, number]
    const around = Math.atan2(x, z) / (2 * Math.PI)
    places.set([around < 0 ? around + 1 : around, Math.acos(y / (Math.hypot(x, y, z) || 1)) / Math.PI], vertex * 2)
  }
  const buffer = document.getRoot().listBuffers()[0] ?? document.createBuffer()
  primitive.setAttribute('TEXCOORD_0', document.createAccessor().setType('VEC2').setArray(places).setBuffer(buffer))
}
