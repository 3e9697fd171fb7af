import type { Json } from '../contract/json.ts'
import type { OutputType } from '../contract/outputTypes.ts'
import { findAt } from './places.ts'
import type { Output } from './provider.ts'

/** An output of a vendor that answers with addresses. */
export type OutputAddress = { url: string; mimeType?: string }

/**
 * The addresses that stand at the places of an answer, in their order. At a place stands the text of an address, or an object or list of
 * such, however deep; what stands as `content_type` beside a `url` is its type.
 */
export function addressesAt(answer: Json | undefined, places: string | readonly string[]): OutputAddress[] {
  return [places].flat().flatMap((at) => {
    if (!at.endsWith('.url')) return findAt(answer, at).flatMap((found) => addressesIn(found))
    return findAt(answer, at.slice(0, -'.url'.length)).flatMap((file) => addressOf(file))
  })
}

/** All addresses in a value: of an object, the values in their order. */
export function addressesIn(value: Json, depth = 3): OutputAddress[] {
  if (typeof value === 'string') return isAddress(value) ? [{ url: value }] : []
  if (typeof value !== 'object' || value === null || depth === 0) return []
  const own = Array.isArray(value) ? [] : addressOf(value)
  return own.length > 0 ? own : Object.values(value).flatMap((each) => addressesIn(each, depth - 1))
}

function addressOf(file: Json): OutputAddress[] {
  if (Array.isArray(file)) return file.flatMap(addressOf)
  if (typeof file !== 'object' || file === null) return []
  const { url, content_type: mimeType } = file as Record<string, Json | undefined>
  if (typeof url !== 'string' || !isAddress(url)) return []
  return [{ url, ...(typeof mimeType === 'string' && mimeType.includes('/') ? { mimeType } : {}) }]
}

function isAddress(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text)
}

const familyOf: Record<OutputType, string> = { image: 'image/', video: 'video/', audio: 'audio/', model3d: 'model/' }

/**
 * Addresses as outputs, those left out whose declared type is another medium's. When that leaves nothing, all of them: what they are is
 * seen when they are fetched, and a declaration may be wrong.
 */
export function outputsOf(addresses: readonly OutputAddress[], outputType: OutputType): Output[] {
  const fit = addresses.filter(({ mimeType }) => !declaresOther(mimeType, outputType))
  return (fit.length > 0 ? fit : addresses).map(({ url, mimeType }) => ({ data: { url }, ...(mimeType === undefined ? {} : { mimeType }) }))
}

function declaresOther(mimeType: string | undefined, outputType: OutputType): boolean {
  const declared = Object.values(familyOf).find((family) => mimeType?.startsWith(family))
  return declared !== undefined && declared !== familyOf[outputType]
}
