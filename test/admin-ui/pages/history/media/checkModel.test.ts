import { expect, test } from 'vitest'
import { checkModel, ModelTooLarge, modelLimits } from '../../../../../src/admin-ui/pages/history/media/checkModel.ts'
import { binaryChunk, chunkOf, glbOf, glbOfChunks, objSample, sceneChunk } from '../../../../support/media/modelSamples.ts'

const part = { attributes: { POSITION: 0 } }
const scene = { accessors: [{ count: 30_000 }], nodes: [{ mesh: 0 }], meshes: [{ primitives: [part] }] }
const corners = Buffer.alloc(36)

const check = (file: Buffer, mimeType = 'model/gltf-binary', limits = modelLimits.preview) =>
  checkModel(new Uint8Array(file).buffer, mimeType, limits)
const checkObj = (text: string) => check(Buffer.from(text), 'model/obj')

test('a model within the limits passes, with and without a binary part, and with chunks of other kinds', async () => {
  const note = chunkOf(0x45544f4e, Buffer.from('note'))
  for (const file of [glbOf(scene), glbOf(scene, corners), glbOfChunks([sceneChunk(scene), binaryChunk(corners), note])])
    await expect(check(file)).resolves.toBeUndefined()
  await expect(check(objSample(), 'model/obj')).resolves.toBeUndefined()
})

test('a model that repeats parts is too large', async () => {
  const repeated = { ...scene, nodes: [{ mesh: 0, extensions: { EXT_mesh_gpu_instancing: { attributes: {} } } }] }
  const shapes = { ...scene, meshes: [{ primitives: [{ ...part, targets: Array(1000).fill({ POSITION: 0 }) }] }] }
  for (const hostile of [repeated, shapes]) await expect(check(glbOf(hostile))).rejects.toThrow(ModelTooLarge)
})

test.each<[string, object]>([
  ['a negative count beside a large one', { accessors: [{ count: 4_000_000_000 }, { count: -4_000_000_000 }] }],
  ['a count that is no number', { accessors: [{ count: 4_000_000_000 }, { count: 'x' }] }],
  ['targets without a length', { nodes: Array(1000).fill({ mesh: 0 }), meshes: [{ primitives: [{ ...part, targets: {} }] }] }],
  [
    'targets of a negative length',
    { nodes: Array(1000).fill({ mesh: 0 }), meshes: [{ primitives: [{ ...part, targets: { length: -1 } }] }] },
  ],
])('%s does not hide what is drawn', async (_name, hostile) => {
  await expect(check(glbOf({ ...scene, ...hostile }))).rejects.toThrow(/that (?:is none|are no list)/)
})

test('a part of few corners counts with all positions that are read to find its size', async () => {
  const bounds = { min: [0, 0, 0], max: [1, 1, 1] }
  const checkParts = (position: object, node: object = {}, mesh: object = {}) =>
    check(
      glbOf({
        accessors: [{ count: 30_000, ...position }, { count: 3 }],
        nodes: Array.from({ length: 101 }, () => ({ mesh: 0, ...node })),
        meshes: [{ primitives: [{ ...part, indices: 1 }], ...mesh }],
      }),
    )
  await expect(checkParts(bounds)).resolves.toBeUndefined()
  await expect(checkParts({})).rejects.toThrow(ModelTooLarge)
  await expect(checkParts(bounds, { skin: 0 })).rejects.toThrow(ModelTooLarge)
  await expect(checkParts(bounds, {}, { isSkinnedMesh: true })).rejects.toThrow(ModelTooLarge)
})

test('a model with many lights is too large', async () => {
  const lit = (count: number) =>
    glbOf({ ...scene, nodes: [{ mesh: 0 }, ...Array(count).fill({ extensions: { KHR_lights_punctual: { light: 0 } } })] })
  await expect(check(lit(16))).resolves.toBeUndefined()
  await expect(check(lit(17))).rejects.toThrow(ModelTooLarge)
})

test('a picture counts once for each way to sample it', async () => {
  const sampled = (change: (sampler: number) => object) =>
    check(glbOf({ ...scene, images: [{ bufferView: 0 }], textures: Array.from({ length: 33 }, (_, sampler) => change(sampler)) }))
  await expect(sampled((sampler) => ({ source: 0, sampler }))).rejects.toThrow(ModelTooLarge)
  await expect(sampled((sampler) => ({ sampler, extensions: { EXT_texture_webp: { source: 0 } } }))).rejects.toThrow(ModelTooLarge)
  await expect(sampled(() => ({ source: 0, sampler: 0 }))).rejects.toThrow('outside the binary part')
})

test('the viewer draws larger models than a list', async () => {
  const large = glbOf({ ...scene, accessors: [{ count: 9_000_000 }] })
  await expect(check(large)).rejects.toThrow(ModelTooLarge)
  await expect(check(large, 'model/gltf-binary', modelLimits.viewer)).resolves.toBeUndefined()
})

test('a model that reads other files is refused', async () => {
  await expect(check(glbOf({ ...scene, buffers: [{ uri: '/graphql' }] }))).rejects.toThrow('outside the file')
})

test('a second scene, which the loader would draw, is refused', async () => {
  const second = sceneChunk({ accessors: [{ count: 4_000_000_000 }] })
  await expect(check(glbOfChunks([sceneChunk(scene), second]))).rejects.toThrow('do not fit')
  await expect(check(glbOfChunks([sceneChunk(scene), binaryChunk(corners), second]))).rejects.toThrow('do not fit')
})

test('a file of another structure is refused', async () => {
  const whole = glbOf(scene)
  await expect(check(Buffer.from(JSON.stringify(scene)))).rejects.toThrow('not a GLB')
  await expect(check(whole.subarray(0, -4))).rejects.toThrow('shorter')
  await expect(check(glbOfChunks([binaryChunk(corners)]))).rejects.toThrow('no scene')
})

test.each([
  ['a face of many corners', `v 0 0 0\nf${' 1'.repeat(1_000_003)}\n`],
  ['a face continued on further lines', `v 0 0 0\nf 1 1 \\\n${'1 1 1 1 \\\r\n'.repeat(250_001)}1\n`],
  ['a face whose corners other spaces separate', `v 0 0 0\n\u00a0f${'\u00a01'.repeat(1_000_003)}\n`],
  ['many points', `v 0 0 0\np${' 1'.repeat(3_000_001)}\n`],
  ['many objects', 'o x\nf 1 1 1\n'.repeat(1001)],
])('an OBJ with %s is too large', async (_name, text) => {
  await expect(checkObj(text)).rejects.toThrow(ModelTooLarge)
})

test('comments, vertices and carriage returns of an OBJ count as nothing drawn', async () => {
  await expect(checkObj(`#${' f'.repeat(4_000_000)}\r\nv 0 0 0\r\nf 1 1 1\r\n`)).resolves.toBeUndefined()
  await expect(checkObj('v 0 0 0\n'.repeat(1_000_000))).resolves.toBeUndefined()
})
