import { z } from 'zod'
import type { Json } from '../../contract/json.ts'

/** A name, an index, or the path of a node within a group of nodes: `57:40`. */
const step = /^(?:[A-Za-z_][A-Za-z0-9_-]*|\d+(?::\d+)*)$/
const forbiddenNames = new Set(['__proto__', 'constructor', 'prototype'])

/** A path in a vendor's JSON: names and indexes separated by dots, such as `image_size.width` or `images.0.url`. */
export const place = z
  .string()
  .max(200)
  .refine(
    (text) => text.split('.').every((each) => step.test(each) && !forbiddenNames.has(each)),
    'Takes names separated by dots, such as image_size.width',
  )

/** A path for reading. `*` matches every item of a list: `images.*.url`. */
export const places = z
  .string()
  .max(200)
  .refine(
    (text) => text.split('.').every((each) => each === '*' || (step.test(each) && !forbiddenNames.has(each))),
    'Takes names separated by dots, and * for every item, such as images.*.url',
  )

type JsonObject = { [key: string]: Json }

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Sets the value at a path and creates missing objects on the way. */
export function setPath(target: JsonObject, at: string, value: Json): void {
  const steps = at.split('.')
  const last = steps.pop() ?? ''
  let inner = target
  for (const each of steps) {
    const next = inner[each]
    if (isObject(next)) inner = next
    else inner = inner[each] = {}
  }
  inner[last] = value
}

/** All values at the path, in order; an empty list when there are none. */
export function getPath(source: Json | undefined, at: string): Json[] {
  return at
    .split('.')
    .reduce<Json[]>((found, each) => found.flatMap((value) => getSegment(value, each)), source === undefined ? [] : [source])
}

/** The first text at the path. */
export function getTextAtPath(source: Json | undefined, at: string): string | undefined {
  return getPath(source, at).find((value) => typeof value === 'string')
}

/** The first number at the path. */
export function getNumberAtPath(source: Json | undefined, at: string): number | undefined {
  return getPath(source, at).find((value) => typeof value === 'number')
}

/** The first object at the path. */
export function getObjectAtPath(source: Json | undefined, at: string): JsonObject | undefined {
  return getPath(source, at).find(isObject)
}

function getSegment(value: Json, each: string): Json[] {
  if (each === '*') return Array.isArray(value) ? value : []
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, each) || (Array.isArray(value) && !/^\d+$/.test(each))) return []
  const inner = (value as JsonObject)[each]
  return inner === undefined ? [] : [inner]
}
