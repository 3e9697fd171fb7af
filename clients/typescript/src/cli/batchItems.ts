import type { GenerationRequest } from '../openapi.ts'
import { UsageError } from './usageError.ts'

/** Reads the items of a batch: a JSON array, or one JSON body in each line. The service checks the bodies. Throws UsageError. */
export function batchItemsOf(text: string): GenerationRequest[] {
  const content = text.replace(/^\ufeff/, '').trim()
  const items = content.startsWith('[') ? parsed(content, 'The array') : linesOf(content)
  if (!Array.isArray(items) || items.length === 0) throw new UsageError('There are no items in the batch.')
  return items as GenerationRequest[]
}

function linesOf(content: string): unknown[] {
  return content.split('\n').flatMap((line, index) => (line.trim() === '' ? [] : [parsed(line, `Line ${index + 1}`)]))
}

function parsed(text: string, what: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch (cause) {
    throw new UsageError(`${what} is not valid JSON. batch takes a JSON array of requests, or one request per line.`, { cause })
  }
}
