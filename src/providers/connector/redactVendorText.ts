import type { Json } from '../../contract/json.ts'

/** The caller's text. */
export type Written = { prompt: string | null; parameters?: { readonly [name: string]: Json } }

const lengthMax = 500
/** Vendor text beyond this length is dropped before the redaction. */
const readMax = 4 * lengthMax
/** Shorter values reveal nothing and are not redacted. */
const wholeMin = 4
/** A common run of this length is a quote. */
const runMin = 16

/** A vendor's message for the operator's log: shortened, and without quotes of the caller's text. */
export function redactVendorText(words: string, { prompt, parameters = {} }: Written): string {
  let hidden = words.slice(0, readMax)
  if (prompt !== null) hidden = without(hidden, prompt, '[prompt]')
  for (const text of textsIn(parameters)) if (text.length >= runMin) hidden = without(hidden, text, '[parameter]')
  return hidden.length > lengthMax ? `${hidden.slice(0, lengthMax)}…` : hidden
}

/** Applies {@link redactVendorText} to all texts of a log entry. */
export function redactVendorFields<Fields extends object>(fields: Fields, written: Written): Fields {
  return each(fields, (text) => redactVendorText(text, written)) as Fields
}

function each(value: unknown, change: (text: string) => string, depth = 6): unknown {
  if (typeof value === 'string') return change(value)
  if (typeof value !== 'object' || value === null) return value
  if (depth === 0) return undefined
  if (Array.isArray(value)) return value.slice(0, 20).map((one) => each(one, change, depth - 1))
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, each(one, change, depth - 1)]))
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}

function without(words: string, text: string, mark: string): string {
  if (text.trim().length < wholeMin) return words
  // Escaped as in JSON, and plain.
  const forms = [...new Set([JSON.stringify(text).slice(1, -1), text])]
  const hidden = forms.reduce((left, form) => left.replaceAll(form, mark), words)
  return forms.toReversed().reduce((left, form) => withoutRuns(left, form, mark), hidden)
}

function withoutRuns(words: string, text: string, mark: string): string {
  let hidden = ''
  let at = 0
  while (at < words.length) {
    let end = at + runMin
    if (end > words.length || !text.includes(words.slice(at, end))) {
      hidden += words[at]
      at += 1
      continue
    }
    while (end < words.length && text.includes(words.slice(at, end + 1))) end += 1
    hidden += mark
    at = end
  }
  return hidden
}
