import { crc32 } from 'node:zlib'
import { Document, WebIO } from '@gltf-transform/core'

const corners = [0, 0, 0, 1, 0, 0, 0, 1, 0]

/** One triangle in one GLB. */
export async function glbSample(): Promise<Buffer> {
  const document = new Document()
  const buffer = document.createBuffer()
  const position = document.createAccessor().setType('VEC3').setArray(Float32Array.from(corners)).setBuffer(buffer)
  const mesh = document.createMesh().addPrimitive(document.createPrimitive().setAttribute('POSITION', position))
  document.createScene().addChild(document.createNode().setMesh(mesh))
  return Buffer.from(await new WebIO().writeBinary(document))
}

/** The same triangle as a glTF with an embedded buffer; `change` edits the scene first. */
export function gltfSample(change: (scene: Record<string, unknown>) => void = () => undefined): Buffer {
  const binary = Buffer.from(Float32Array.from(corners).buffer)
  const scene: Record<string, unknown> = {
    asset: { version: '2.0' },
    scene: 0,
    scenes: [{ nodes: [0] }],
    nodes: [{ mesh: 0 }],
    meshes: [{ primitives: [{ attributes: { POSITION: 0 } }] }],
    accessors: [{ bufferView: 0, componentType: 5126, count: 3, type: 'VEC3', min: [0, 0, 0], max: [1, 1, 0] }],
    bufferViews: [{ buffer: 0, byteLength: binary.length }],
    buffers: [{ byteLength: binary.length, uri: `data:application/octet-stream;base64,${binary.toString('base64')}` }],
  }
  change(scene)
  return Buffer.from(JSON.stringify(scene))
}

/** A GLB by hand: any scene, any binary part. */
export function glbOf(scene: unknown, binary: Buffer = Buffer.alloc(0)): Buffer {
  return glbOfChunks([sceneChunk(scene), ...(binary.length > 0 ? [binaryChunk(binary)] : [])])
}

/** A GLB of any chunks. */
export function glbOfChunks(chunks: Buffer[]): Buffer {
  const header = Buffer.from('glTF\x02\0\0\0\0\0\0\0', 'latin1')
  header.writeUInt32LE(12 + chunks.reduce((sum, part) => sum + part.length, 0), 8)
  return Buffer.concat([header, ...chunks])
}

export function sceneChunk(scene: unknown): Buffer {
  return chunkOf(0x4e4f534a, padded(Buffer.from(JSON.stringify(scene)), ' '))
}

export function binaryChunk(content: Buffer): Buffer {
  return chunkOf(0x004e4942, padded(content, '\0'))
}

export function chunkOf(kind: number, content: Buffer): Buffer {
  const header = Buffer.alloc(8)
  header.writeUInt32LE(content.length, 0)
  header.writeUInt32LE(kind, 4)
  return Buffer.concat([header, content])
}

function padded(content: Buffer, filler: string): Buffer {
  return Buffer.concat([content, Buffer.alloc((4 - (content.length % 4)) % 4, filler)])
}

export function objSample(): Buffer {
  return Buffer.from('# a triangle\nmtllib none.mtl\no triangle\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvn 0 0 1\nusemtl plain\nf 1//1 2//1 3//1\n')
}

/** Binary STL whose header starts like the text form, as in many programs. */
export function stlSample(facets = 12): Buffer {
  const file = Buffer.alloc(84 + facets * 50)
  file.write('solid exported', 0)
  file.writeUInt32LE(facets, 80)
  for (let facet = 0; facet < facets; facet += 1) {
    for (const [index, value] of [0, 0, 1, ...corners].entries())
      file.writeFloatLE(index < 3 ? value : value + facet, 84 + facet * 50 + index * 4)
  }
  return file
}

export function textStlSample(): Buffer {
  const facet = 'facet normal 0 0 1\n outer loop\n  vertex 0 0 0\n  vertex 1 0 0\n  vertex 0 1e0 0\n endloop\nendfacet\n'
  return Buffer.from(`solid triangle\n${facet}${facet}endsolid triangle\n`)
}

export function usdzSample(): Buffer {
  return zipOf([{ name: 'scene.usda', content: Buffer.from('#usda 1.0\ndef Xform "root" {\n}\n') }])
}

export type ZipEntry = { name: string; content: Buffer; method?: number }

/** A ZIP with uncompressed entries; `method` only claims compression. */
export function zipOf(entries: ZipEntry[]): Buffer {
  const locals: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const { name, content, method = 0 } of entries) {
    const shared = Buffer.alloc(26)
    shared.writeUInt16LE(20, 0)
    shared.writeUInt16LE(method, 4)
    shared.writeUInt32LE(crc32(content), 10)
    shared.writeUInt32LE(content.length, 14)
    shared.writeUInt32LE(content.length, 18)
    shared.writeUInt16LE(name.length, 22)
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), shared, Buffer.from(name), content])
    const place = Buffer.alloc(14)
    place.writeUInt32LE(offset, 10)
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\0', 'latin1'), shared, place, Buffer.from(name)]))
    locals.push(local)
    offset += local.length
  }
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 0, 'latin1')
  end.writeUInt16LE(entries.length, 8)
  end.writeUInt16LE(entries.length, 10)
  end.writeUInt32LE(
    directory.reduce((sum, entry) => sum + entry.length, 0),
    12,
  )
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...locals, ...directory, end])
}
