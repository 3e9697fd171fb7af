import type { Json } from '../../contract/json.ts'
import type { OutputType } from '../../contract/shapes/outputTypes.ts'
import { getPath } from '../connector/jsonPath.ts'
import type { Output } from '../provider.ts'

/** An output of a vendor that answers with URLs. */
export type OutputUrl = { url: string; mimeType?: string }

/**
 * The URLs at the given paths of an answer, in order. A path leads to a URL, or to a nested object or list of URLs. `content_type` beside
 * a `url` is its type. URLs are untrusted; `fetchOutput` checks them. When none of the paths exists, returns all URLs of the answer: a
 * vendor may have renamed its fields, and the work is billed.
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

/** All URLs in a value, in order. A text counts as a URL; in an object, only texts that start with http. */
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

/** Longer texts are cut: they are files, not URLs. */
const urlLengthMax = 8_192

function cut(address: string): string {
  return address.slice(0, urlLengthMax)
}

const familyOf: Record<OutputType, string> = { image: 'image/', video: 'video/', audio: 'audio/', model3d: 'model/' }

/**
 * Converts URLs to outputs and leaves out URLs with a declared type of another medium. If none remains, returns all: a declaration may be
 * wrong, and the type is checked after the download.
 */
export function toOutputs(addresses: readonly OutputUrl[], outputType: OutputType): Output[] {
  const fit = addresses.filter(({ mimeType }) => !declaresOther(mimeType, outputType))
  return (fit.length > 0 ? fit : addresses).map(({ url, mimeType }) => ({ data: { url }, ...(mimeType === undefined ? {} : { mimeType }) }))
}

function declaresOther(mimeType: string | undefined, outputType: OutputType): boolean {
  const declared = Object.values(familyOf).find((family) => mimeType?.startsWith(family))
  return declared !== undefined && declared !== familyOf[outputType]
}
