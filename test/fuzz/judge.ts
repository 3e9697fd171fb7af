import { faultsOf } from '../support/http/responseConformance.ts'
import type { FuzzRequest, Operation } from './requests.ts'
import { validatorAt } from './schemas.ts'

export type Seen = { status: number; headers: Record<string, string | undefined>; body: string }

/**
 * Reports a violation: an internal error, an undescribed answer, or an accepted body, query or
 * header that the document excludes.
 */
export function violationsOf(request: FuzzRequest, operation: Operation, seen: Seen): string[] {
  const url = `/api/v1${request.url}`
  const faults = faultsOf({ method: request.method, url, ...seen })
  if (seen.status >= 500 && !nobodysFailure.test(seen.body)) faults.push(`failed with ${seen.status}: ${seen.body.slice(0, 200)}`)
  if (seen.status >= 200 && seen.status < 400) {
    for (const each of [bodyFault(request, operation), parameterFault(request, operation)]) if (each) faults.push(`accepted ${each}`)
  }
  return faults
}

/** A dead link, and the family that is always unavailable. */
const nobodysFailure = /^\{"error":\{"code":"(file_fetch_failed|family_unavailable)"/

function bodyFault({ body, form }: FuzzRequest, { requestBody, operationId }: Operation): string | undefined {
  // A faulty item is refused in its place of a successful answer.
  if (operationId === 'startBatch') return undefined
  const reference = requestBody?.content['application/json']?.schema.$ref
  if (!reference) return undefined
  if (form) return formFault(form)
  if (body === undefined || body.length === 0) return requestBody.required ? 'no body' : undefined
  const validate = validatorAt(reference)
  const value = parsed(body)
  if (value === undefined) return 'a body that is not JSON'
  return validate(value) ? undefined : `an invalid body: ${JSON.stringify(validate.errors)}`
}

function formFault(form: NonNullable<FuzzRequest['form']>): string | undefined {
  if (form === 'broken') return 'a broken form'
  const names = form.map(({ name }) => name)
  if (new Set(names).size < names.length) return 'a part that stands twice'
  if (!names.includes('file') || names.some((name) => name !== 'file' && name !== 'mimeType')) return `a form of ${names.join(', ')}`
  const mimeType = form.find(({ name }) => name === 'mimeType')?.content
  if (mimeType === undefined) return undefined
  const fits = validatorAt('#/components/schemas/FileRequest')({ base64: '', mimeType: String(mimeType) })
  return fits ? undefined : 'an invalid mimeType'
}

function parsed(body: string | Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.from(body as string)))
  } catch {
    return undefined
  }
}

function parameterFault({ url, headers }: FuzzRequest, { parameters }: Operation): string | undefined {
  const pairs = [...new URLSearchParams(url.split('?').slice(1).join('?'))]
  const names = pairs.map(([name]) => name)
  if (new Set(names).size < names.length) return 'a query parameter that stands twice'
  const sent = [
    ...pairs.map(([name, value]) => ({ place: 'query', name, value })),
    ...Object.entries(headers).map(([name, value]) => ({ place: 'header', name, value })),
  ]
  for (const { place, name, value } of sent) {
    const parameter = parameters.find((each) => each.in === place && (each.in === 'header' ? each.name.toLowerCase() : each.name) === name)
    if (place === 'query' && /^metadata\[.+\]$/s.test(name) && parameters.some((each) => each.name === 'metadata')) continue
    if (!parameter && place === 'query') return `a query parameter ${name}`
    if (!parameter) continue
    const { pointer, schema } = parameter
    const typed = schema.type === 'integer' && /^-?\d+$/.test(value) ? Number(value) : value
    if (!validatorAt(`${pointer.replaceAll('{', '%7B').replaceAll('}', '%7D')}/schema`)(typed))
      return `${place} ${name}: ${value.slice(0, 50)}`
  }
  return undefined
}
