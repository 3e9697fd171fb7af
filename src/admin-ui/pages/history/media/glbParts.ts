const magic = 0x46546c67
const kinds = { json: 0x4e4f534a, binary: 0x004e4942 }
const headerBytes = 12

/**
 * The scene and the binary part of a GLB. Throws for several of a kind, of which the loader would use the last one, and for chunks beyond
 * the file. Chunks of other kinds are ignored, as the format requires.
 */
export function glbParts(content: ArrayBuffer): { json: Uint8Array; binary: Uint8Array<ArrayBuffer> } {
  const view = new DataView(content)
  // The loader would read a file without this beginning as JSON.
  if (view.getUint32(0, true) !== magic) throw new Error('not a GLB')
  const length = view.getUint32(8, true)
  if (length > content.byteLength) throw new Error('shorter than its header says')
  const found = new Map<number, Uint8Array<ArrayBuffer>>()
  for (let at = headerBytes; at < length; ) {
    const [bytes, kind] = [view.getUint32(at, true), view.getUint32(at + 4, true)]
    const isKnown = kind === kinds.json || kind === kinds.binary
    if (at + 8 + bytes > length || (isKnown && found.has(kind))) throw new Error('chunks that do not fit')
    if (isKnown) found.set(kind, new Uint8Array(content, at + 8, bytes))
    at += 8 + bytes
  }
  const json = found.get(kinds.json)
  if (!json) throw new Error('no scene')
  return { json, binary: found.get(kinds.binary) ?? new Uint8Array() }
}
