import type { ByteReader } from './openByteReader.ts'
import { readLines } from './readLines.ts'
import { Unprocessable } from './unprocessable.ts'

type Counts = { v: number; vt: number; vn: number; elements: number }

/**
 * Reads all statements of an OBJ. Coordinates must be finite numbers, elements must refer to existing vertices, and there must be at
 * least one element. Referenced materials and textures are never opened.
 */
export function inspectObj(bytes: ByteReader): void {
  const counts: Counts = { v: 0, vt: 0, vn: 0, elements: 0 }
  for (const line of readLines(bytes, { joins: '\\' })) {
    if (line !== '' && !line.startsWith('#')) readStatement(line.trim(), counts)
  }
  if (counts.elements === 0) throw new Unprocessable('no_content', 'no geometry')
}

/** Minimum numbers of a statement. */
const numbersMin = new Map<string, number>([
  ['v', 3],
  ['vt', 1],
  ['vn', 3],
])
/** Minimum vertices of an element. */
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
    if (words.length < numbers || !words.every(isNumber)) throw new Unprocessable('corrupt', 'a coordinate is not a number')
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

/** A corner refers to a vertex, and optionally to a texture point and a normal: from 1, or negative from the latest backwards. */
function checkCorner(word: string, counts: Counts): void {
  const [vertex = '', texture = '', normal = ''] = word.split('/')
  if (!exists(vertex, counts.v)) throw new Unprocessable('corrupt', 'an element refers to a missing vertex')
  if ((texture !== '' && !exists(texture, counts.vt)) || (normal !== '' && !exists(normal, counts.vn))) {
    throw new Unprocessable('corrupt', 'an element refers to a missing texture point or normal')
  }
}

function exists(index: string, available: number): boolean {
  const number = Number(index)
  return Number.isInteger(number) && number !== 0 && Math.abs(number) <= available
}
