import { fileTypeFromBuffer } from 'file-type'
import { detectText } from './detectText.ts'
import { type FormatName, mediaFormats } from './mediaFormats.ts'

/**
 * The format by the first bytes. `candidates`: the possible accepted formats, most likely first; empty when the content is not accepted.
 * `mimeType`: the recognised type, `null` when unknown.
 */
export type Detected = { candidates: readonly FormatName[]; mimeType: string | null }

/** The number of bytes that {@link detectFormat} uses. */
export const headBytes = 65_536

/**
 * Recognises content by its signature, without decoding, unpacking or following references, so it may run in any process.
 * `sizeBytes`: size of the whole file. Without it a binary STL is recognised only by its first facets.
 */
export async function detectFormat(head: Buffer, sizeBytes?: number): Promise<Detected> {
  if (head.length === 0) return { candidates: [], mimeType: 'application/x-empty' }
  const sample = head.subarray(0, headBytes)
  if (sample.toString('latin1', 0, 3) === 'ID3') return await detectTagged(sample)
  return detectOwn(sample) ?? (await detectGeneral(sample, sizeBytes))
}

/** An ID3 tag may precede only MP3 or FLAC. The tag may be longer than the head. */
async function detectTagged(head: Buffer): Promise<Detected> {
  const content = head.subarray(id3Bytes(head))
  const inner = content.length === 0 ? undefined : await detectGeneral(content, undefined)
  if (inner?.candidates.some((format) => format === 'mp3' || format === 'flac')) return inner
  const foreignAudio = inner?.candidates.length === 0 && inner.mimeType?.startsWith('audio/')
  return foreignAudio ? inner : accepted('mp3', 'flac')
}

/** Length of the ID3 tag at the start of `head`. Its size has seven bits per byte. */
export function id3Bytes(head: Buffer): number {
  if (head.length < 10) return head.length
  const size = head.subarray(6, 10).reduce((sum, byte) => sum * 128 + (byte & 0x7f), 0)
  return 10 + size + (head.readUInt8(5) & 0x10 ? 10 : 0)
}

// Checked before the general detector, which unpacks the start of archives, takes any ISO media for video, and does not recognise a PNG
// with a damaged first chunk.
function detectOwn(head: Buffer): Detected | undefined {
  const start = head.toString('latin1', 0, 8)
  if (start.startsWith('\x1f\x8b')) return refused('application/gzip')
  if (/^PK(\x03\x04|\x05\x06|\x07\x08)/.test(start)) return isUsdz(head) ? accepted('usdz') : refused('application/zip')
  if (start === '\x89PNG\r\n\x1a\n') return accepted('png')
  if (start.slice(4) === 'ftyp') return detectIsoMedia(head)
  return undefined
}

async function detectGeneral(head: Buffer, sizeBytes: number | undefined): Promise<Detected> {
  const guess = (await fileTypeFromBuffer(head))?.mime.split(';')[0]
  if (guess !== undefined && !textTypes.has(guess)) {
    const format = formatOfMimeType.get(guess)
    return format === undefined ? refused(guess) : accepted(format)
  }
  if (isBinaryStl(head, sizeBytes)) return accepted('stl')
  const text = detectText(head)
  if (text === undefined) return refused(guess ?? null)
  return text.format === undefined ? refused(text.mimeType) : accepted(text.format)
}

const textTypes = new Set(['application/xml', 'model/stl'])

const formatOfMimeType = new Map<string, FormatName>([
  ['image/jpeg', 'jpeg'],
  ['image/webp', 'webp'],
  ['image/gif', 'gif'],
  ['video/webm', 'webm'],
  ['video/quicktime', 'mov'],
  ['audio/mpeg', 'mp3'],
  ['audio/wav', 'wav'],
  ['audio/flac', 'flac'],
  ['audio/ogg', 'ogg'],
  ['model/gltf-binary', 'glb'],
])

function accepted(format: FormatName, ...others: FormatName[]): Detected {
  return { candidates: [format, ...others], mimeType: mediaFormats[format].mimeType }
}

function refused(mimeType: string | null): Detected {
  return { candidates: [], mimeType }
}

/** A USDZ is a ZIP with uncompressed entries that begins with the scene. */
function isUsdz(head: Buffer): boolean {
  if (head.length < 30 || head.readUInt32LE(0) !== 0x04034b50 || head.readUInt16LE(8) !== 0) return false
  const name = head.toString('latin1', 30, 30 + head.readUInt16LE(26))
  return /\.usd[ac]?$/i.test(name)
}

/** Recognises ISO media by brand. MP4 and M4A share brands, so the tracks decide between them. */
function detectIsoMedia(head: Buffer): Detected | undefined {
  if (head.length < 12) return undefined
  const end = Math.min(head.readUInt32BE(0), head.length)
  const brands: string[] = []
  for (let offset = 8; offset + 4 <= end; offset += 4) {
    if (offset !== 12) brands.push(head.toString('latin1', offset, offset + 4))
  }
  const [major = ''] = brands
  if (major === 'qt  ') return accepted('mov')
  if (imageBrands.has(major)) return detectStillImage(major, brands)
  if (major.startsWith('3g')) return refused('video/3gpp')
  if (major === 'crx ') return refused('image/x-canon-cr3')
  return /^M4[AB] $|^F4[AB] $/.test(major) ? accepted('m4a', 'mp4') : accepted('mp4', 'm4a')
}

const heicBrands = ['heic', 'heix', 'heim', 'heis']
const sequenceBrands = ['avis', 'msf1', 'hevc', 'hevx', 'hevm', 'hevs']
const imageBrands = new Set(['avif', 'mif1', 'mif2', 'miaf', ...heicBrands, ...sequenceBrands])

/** Recognises still images. With a general major brand the compatible brands decide. Sequences without a still image are not accepted. */
function detectStillImage(major: string, brands: string[]): Detected {
  const relevantBrands = major === 'avif' || heicBrands.includes(major) ? [major] : brands
  if (relevantBrands.includes('avif') && major !== 'avis') return accepted('avif')
  if (relevantBrands.some((brand) => heicBrands.includes(brand))) return accepted('heic')
  if (major === 'avis') return refused('image/avif-sequence')
  return refused(sequenceBrands.includes(major) ? 'image/heif-sequence' : 'image/heif')
}

const facetBytes = 50
const facetsStart = 84

/** Binary STL has no signature. Its facet count matches the size, or its first facets are plausible geometry. */
function isBinaryStl(head: Buffer, sizeBytes: number | undefined): boolean {
  if (head.length < facetsStart + facetBytes) return false
  const facets = head.readUInt32LE(80)
  if (facets === 0) return false
  if (sizeBytes === facetsStart + facetBytes * facets) return true
  const checkedFacets = Math.min(facets, 8, Math.floor((head.length - facetsStart) / facetBytes))
  for (let index = 0; index < checkedFacets; index += 1) {
    if (!isPlausibleFacet(head, facetsStart + index * facetBytes)) return false
  }
  return true
}

function isPlausibleFacet(head: Buffer, offset: number): boolean {
  const floats = Array.from({ length: 12 }, (_, index) => head.readFloatLE(offset + index * 4))
  const normalLength = Math.hypot(...floats.slice(0, 3))
  const vertices = floats.slice(3)
  const arePlausible = vertices.every((value) => value === 0 || (Math.abs(value) > 1e-12 && Math.abs(value) < 1e9))
  return arePlausible && vertices.some((value) => value !== 0) && (normalLength === 0 || Math.abs(normalLength - 1) < 0.01)
}
