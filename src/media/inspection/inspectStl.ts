import type { ByteReader } from './openByteReader.ts'
import { readLines } from './readLines.ts'
import { Unprocessable } from './unprocessable.ts'

const headerBytes = 84
const facetBytes = 50

/** Reads all facets of an STL, binary or text: finite corners, and the number of facets in the header. */
export function inspectStl(bytes: ByteReader): void {
  if (isBinary(bytes)) inspectBinary(bytes)
  else inspectText(bytes)
}

// Many binary files begin with the keyword of the text form, so the following bytes decide.
function isBinary(bytes: ByteReader): boolean {
  const head = bytes.readUpTo(0, 512)
  if (head.length >= headerBytes && headerBytes + facetBytes * head.readUInt32LE(80) === bytes.sizeBytes) return true
  return !/^\s*solid\b/i.test(head.toString('latin1')) || /[\x00-\x08\x0e-\x1f\x7f-\xff]/.test(head.toString('latin1', 80))
}

function inspectBinary(bytes: ByteReader): void {
  const facets = bytes.read(80, 4).readUInt32LE(0)
  const size = headerBytes + facetBytes * facets
  if (size > bytes.sizeBytes) throw new Unprocessable('truncated', 'fewer facets than the header says')
  if (size < bytes.sizeBytes) throw new Unprocessable('corrupt', 'more bytes than facets')
  const perRead = 20_000
  for (let facet = 0; facet < facets; facet += perRead) {
    const piece = bytes.read(headerBytes + facet * facetBytes, Math.min(perRead, facets - facet) * facetBytes)
    for (let start = 0; start < piece.length; start += facetBytes) checkCorners(piece, start)
  }
}

// The normal is not checked: writers put anything there, and readers compute it.
function checkCorners(piece: Buffer, start: number): void {
  for (let at = start + 12; at < start + 48; at += 4) {
    if (!Number.isFinite(piece.readFloatLE(at))) throw new Unprocessable('corrupt', 'a corner is not finite')
  }
}

const statements = [
  /^facet\s+normal(\s+\S+){3}$/i,
  /^outer\s+loop$/i,
  /^vertex(\s+[-+.\de]+){3}$/i,
  /^vertex(\s+[-+.\de]+){3}$/i,
  /^vertex(\s+[-+.\de]+){3}$/i,
  /^end\s*loop$/i,
  /^end\s*facet$/i,
]

function inspectText(bytes: ByteReader): void {
  let next = 0
  let facets = 0
  let open = false
  for (const line of readLines(bytes)) {
    const statement = line.trim()
    if (statement === '') continue
    if (!open) {
      if (!/^solid\b/i.test(statement)) throw new Unprocessable('corrupt', 'text outside of a solid')
      open = true
    } else if (next === 0 && /^end\s*solid\b/i.test(statement)) {
      open = false
    } else {
      if (statements[next]?.test(statement) !== true) throw new Unprocessable('corrupt', 'a statement out of place')
      next = (next + 1) % statements.length
      if (next === 0) facets += 1
    }
  }
  if (open) throw new Unprocessable('truncated', 'the solid does not end')
  if (facets === 0) throw new Unprocessable('no_content', 'no geometry')
}
