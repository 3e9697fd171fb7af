import type { ByteReader } from './openByteReader.ts'
import { readLines } from './readLines.ts'
import { Unprocessable } from './unprocessable.ts'

type Counts = { v: number; vt: number; vn: number; elements: number }

/**
 * Reads every statement of an OBJ: coordinates are finite numbers, faces, lines and points name vertices that exist, and there is
 * at least one of these. Materials and textures that it names are never opened.
 */
export function inspectObj(bytes: ByteReader): void {
  const counts: Counts = { v: 0, vt: 0, vn: 0, elements: 0 }
  for (const line of readLines(bytes, { joins: '\\' })) {
    if (line !== '' && !line.startsWith('#')) readStatement(line.trim(), counts)
  }
  if (counts.elements === 0) throw new Unprocessable('no_content', 'no geometry')
}

/** How many numbers a statement needs at least. */
const numbersMin = new Map<string, number>([
  ['v', 3],
  ['vt', 1],
  ['vn', 3],
])
/** How many vertices an element needs at least. */
const verticesMin = new Map<string, number>([
  ['f', 3],
  ['fo', 3],
  ['l', 2],
  ['p', 1],
])
const freeForms = new Set(['curv', 'curv2', 'surf'])

function readStatement(line: string, counts: Counts): void {
  const [keyword = '', ...rest] = line.split(/\s+/)
  const comment = rest.findIndex((word) => word.startsWith('#'))
  const words = comment === -1 ? rest : rest.slice(0, comment)
  const numbers = numbersMin.get(keyword)
  if (numbers !== undefined) {
    if (words.length < numbers || !words.every(isNumber)) throw new Unprocessable('corrupt', 'a coordinate is no number')
    counts[keyword as 'v' | 'vt' | 'vn'] += 1
  }
  const corners = verticesMin.get(keyword)
  if (corners !== undefined) {
    if (words.length < corners) throw new Unprocessable('corrupt', 'an element lacks vertices')
    for (const word of words) checkCorner(word, counts)
  }
  if (corners !== undefined || freeForms.has(keyword)) counts.elements += 1
}

function isNumber(word: string): boolean {
  return Number.isFinite(Number(word)) && word !== ''
}

/** A corner names a vertex and may name a texture point and a normal: from 1, or backwards from the latest as a negative number. */
function checkCorner(word: string, counts: Counts): void {
  const [vertex = '', texture = '', normal = ''] = word.split('/')
  if (!names(vertex, counts.v)) throw new Unprocessable('corrupt', 'an element names a vertex that is not there')
  if ((texture !== '' && !names(texture, counts.vt)) || (normal !== '' && !names(normal, counts.vn))) {
    throw new Unprocessable('corrupt', 'an element names a point that is not there')
  }
}

function names(index: string, available: number): boolean {
  const number = Number(index)
  return Number.isInteger(number) && number !== 0 && Math.abs(number) <= available
}
