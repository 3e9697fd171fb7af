import type { Json } from '../../contract/json.ts'
import type { OutputType } from '../../contract/shapes/outputTypes.ts'
import { getPath } from '../connector/jsonPath.ts'
import type { Output } from '../provider.ts'

/** An output of a vendor that answers with addresses. */
export type OutputUrl = { url: string; mimeType?: string }

/**
 * The addresses that stand at the places of an answer, in their order. At a place stands the text of an address, or an object or list of
 * such, however deep; what stands as `content_type` beside a `url` is its type. They are believed no more than the answer: whoever
 * fetches them judges them. An answer that knows none of the places gives all the addresses in it: vendors rename their fields, and what
 * was made is paid for.
 */
export function findOutputUrls(answer: Json | undefined, places: string | readonly string[]): OutputUrl[] {
  const named = [places].flat()
  const isKnown = named.some((at) => getPath(answer, at.split('.')[0] ?? at).length > 0)
  return isKnown || answer === undefined ? named.flatMap((at) => urlsAtPath(answer, at)) : collectUrls(answer)
}

function urlsAtPath(answer: Json | undefined, at: string): OutputUrl[] {
  if (!at.endsWith('.url')) return getPath(answer, at).flatMap((found) => collectUrls(found))
  return getPath(answer, at.slice(0, -'.url'.length)).flatMap((file) => urlsOfFile(file))
}

/** All addresses in a value: a text is one; of an object, those of its texts that read like one, in their order. */
export function collectUrls(value: Json, depth = 3): OutputUrl[] {
  if (typeof value === 'string') return [{ url: cut(value) }]
  if (typeof value !== 'object' || value === null || depth === 0) return []
  if (Array.isArray(value)) return value.flatMap((each) => collectUrls(each, depth - 1))
  const own = urlsOfFile(value)
  const others = Object.values(value).filter((each) => typeof each !== 'string' || /^https?:/i.test(each))
  return own.length > 0 ? own : others.flatMap((each) => collectUrls(each, depth - 1))
}

function urlsOfFile(file: Json): OutputUrl[] {
  if (Array.isArray(file)) return file.flatMap(urlsOfFile)
  if (typeof file !== 'object' || file === null) return []
  const { url, content_type: mimeType } = file as Record<string, Json | undefined>
  if (typeof url !== 'string') return []
  return [{ url: cut(url), ...(typeof mimeType === 'string' && mimeType.includes('/') ? { mimeType } : {}) }]
}

/** No address is longer; a file that stands there itself, as text, is not kept among the outputs. */
const urlLengthMax = 8_192

function cut(address: string): string {
  return address.slice(0, urlLengthMax)
}

const familyOf: Record<OutputType, string> = { image: 'image/', video: 'video/', audio: 'audio/', model3d: 'model/' }

/**
 * Addresses as outputs, those left out whose declared type is another medium's. When that leaves nothing, all of them: what they are is
 * seen when they are fetched, and a declaration may be wrong.
 */
export function toOutputs(addresses: readonly OutputUrl[], outputType: OutputType): Output[] {
  const fit = addresses.filter(({ mimeType }) => !declaresOther(mimeType, outputType))
  return (fit.length > 0 ? fit : addresses).map(({ url, mimeType }) => ({ data: { url }, ...(mimeType === undefined ? {} : { mimeType }) }))
}

function declaresOther(mimeType: string | undefined, outputType: OutputType): boolean {
  const declared = Object.values(familyOf).find((family) => mimeType?.startsWith(family))
  return declared !== undefined && declared !== familyOf[outputType]
}
