import { expect, test } from 'vitest'
import { checkModel } from '../../../../../src/admin-ui/pages/history/stills/checkModel.ts'
import { glbOf } from '../../../../support/media/modelSamples.ts'

const part = { attributes: { POSITION: 0 } }
const scene = { accessors: [{ count: 30_000 }], nodes: [{ mesh: 0 }], meshes: [{ primitives: [part] }] }
const check = (glb: Buffer) => checkModel(new Uint8Array(glb).buffer)

test('a model within the limits passes, with and without a binary part', async () => {
  await expect(check(glbOf(scene))).resolves.toBeUndefined()
  await expect(check(glbOf(scene, Buffer.alloc(36)))).resolves.toBeUndefined()
})

test('a model that repeats parts, or reads other files, is refused', async () => {
  const repeated = { ...scene, nodes: [{ mesh: 0, extensions: { EXT_mesh_gpu_instancing: { attributes: {} } } }] }
  const shapes = { ...scene, meshes: [{ primitives: [{ ...part, targets: Array(1000).fill({ POSITION: 0 }) }] }] }
  for (const hostile of [repeated, shapes, { ...scene, buffers: [{ uri: '/graphql' }] }])
    await expect(check(glbOf(hostile))).rejects.toThrow('too large')
})

test('a second scene, which the loader would draw, is refused', async () => {
  const second = glbOf({ accessors: [{ count: 4_000_000_000 }] }).subarray(12)
  await expect(check(Buffer.concat([glbOf(scene), second]))).rejects.toThrow('other parts')
  await expect(check(Buffer.concat([glbOf(scene, Buffer.alloc(36)), second]))).rejects.toThrow('other parts')
})
