import fc from 'fast-check'
import { onePixel } from '../support/http/everyEndpoint.ts'
import { type FormPart, form } from '../support/http/uploads.ts'
import { mutatedBodies } from './mutations.ts'
import type { FuzzRequest, Known, Operation } from './requests.ts'
import { schemaAt, validatorAt } from './schemas.ts'
import { oddTexts, type Schema, valuesOf } from './values.ts'

type Sent = Pick<FuzzRequest, 'body' | 'form'> & { headers: Record<string, string> }

/** Bodies for an operation, with their content type. */
export function sentBodies(operation: Operation, known: Known, odd: boolean): fc.Arbitrary<Sent> {
  const reference = operation.requestBody?.content['application/json']?.schema.$ref
  // An unexpected body.
  if (!reference)
    return odd ? fc.constantFrom<Sent>({ headers: {} }, { headers: {} }, { headers: {}, body: '{}' }) : fc.constant({ headers: {} })
  const bodies = bodiesOf(operation.operationId, reference, known)
  const texts = odd
    ? fc.oneof(
        bodies.map((body) => JSON.stringify(body)),
        mutatedBodies(bodies, identifiersOf(known)),
      )
    : bodies.map((body) => JSON.stringify(body))
  const json = texts.map((body): Sent => ({ body, headers: { 'content-type': 'application/json' } }))
  if (operation.operationId === 'uploadFile') return fc.oneof(json, forms(odd))
  return operation.requestBody?.required ? json : fc.oneof(json, fc.constant<Sent>({ headers: {} }))
}

function bodiesOf(operationId: string, reference: string, known: Known): fc.Arbitrary<unknown> {
  const fits = validatorAt(reference)
  const described = valuesOf(schemaAt(reference), schemaAt).filter((body) => fits(body))
  if (reference.endsWith('/GenerationRequest')) return fc.oneof({ weight: 1, arbitrary: described }, { weight: 4, arbitrary: plans(known) })
  if (operationId !== 'uploadFile') return described
  // These addresses are refused before any request, so nothing leaves this machine.
  const url = fc.constantFrom(
    'http://127.0.0.1/a.png',
    'https://10.0.0.1/',
    'http://[::1]:1/',
    'ftp://x/',
    'file:///etc/passwd',
    'http://a:b@10.0.0.1/',
  )
  const base64 = fc.constantFrom(onePixel, onePixel.slice(0, 60), 'aaaa', '=', '')
  const mimeType = fc.constantFrom('image/png', 'image/jpeg', 'video/mp4', 'text/html')
  return fc.oneof(described, fc.record({ url }), fc.record({ base64, mimeType }, { requiredKeys: ['base64'], noNullPrototype: true }))
}

/** Valid requests for the catalog's variants, with existing inputs. */
function plans({ families, imageIds }: Known): fc.Arbitrary<unknown> {
  const variants = families.flatMap((family) => family.variants.map((variant) => ({ family, variant })))
  const fitting = variants.map(({ family, variant }) => {
    const { images } = variant.inputs
    const schemas = (family.parameters as Schema).properties ?? {}
    const named = variant.parameterNames.map((name) => [name, valuesOf(schemas[name] ?? {}, schemaAt)] as const)
    const optional = {
      ...(variant.inputs.prompt.required ? {} : { prompt: fc.constant('as it was') }),
      parameters: fc.record(Object.fromEntries(named), { requiredKeys: [], noNullPrototype: true }),
      maxCredits: fc.constantFrom(0, 1, 50, 1e6),
      reference: fc.string({ minLength: 1, maxLength: 60, unit: 'grapheme-ascii' }),
      metadata: fc.dictionary(fc.string({ minLength: 1, maxLength: 40, unit: 'grapheme-ascii' }), fc.string({ maxLength: 60 }), {
        maxKeys: 5,
      }),
    }
    const required = {
      familyId: fc.constant(family.id),
      ...(variant.inputs.prompt.required ? { prompt: fc.string({ minLength: 1, maxLength: 60, unit: 'grapheme' }) } : {}),
      ...(images.max > 0 ? { imageIds: fc.array(fc.constantFrom(...imageIds), { minLength: images.min, maxLength: images.max }) } : {}),
    }
    const chosen = fc.constantFrom({ modelId: variant.modelId }, { axes: variant.axes })
    const rest = fc.record({ ...required, ...optional }, { requiredKeys: Object.keys(required) as never[], noNullPrototype: true })
    return fc.tuple(rest, chosen).map(([body, choice]) => ({ ...body, ...choice }))
  })
  return fc.oneof(...fitting)
}

function forms(odd: boolean): fc.Arbitrary<Sent> {
  const pixel = Buffer.from(onePixel, 'base64')
  const file = fc
    .constantFrom(pixel, pixel, Buffer.alloc(0), pixel.subarray(0, 50), Buffer.from('<html>'))
    .map((content): FormPart => ({ name: 'file', content }))
  const types = odd ? fc.oneof(oddTexts, fc.constant('image/png')) : fc.constantFrom('image/png', 'image/gif')
  const mimeType = types.map((content): FormPart => ({ name: 'mimeType', content }))
  const extra = fc.constantFrom('url', '__proto__', 'File', '').map((name): FormPart => ({ name, content: 'x' }))
  const usual = fc.oneof(fc.tuple(file), fc.tuple(file, mimeType), fc.tuple(mimeType, file))
  const strange = fc.array(fc.oneof(file, mimeType, extra), { maxLength: 4 })
  const made = (odd ? fc.oneof(usual, strange) : usual).map((parts): Sent => ({ ...asSent(form(...parts)), form: parts }))
  if (!odd) return made
  const cut = fc.tuple(usual, fc.nat()).map(([parts, length]): Sent => {
    const { body, headers } = asSent(form(...parts))
    // The text after the last boundary may be missing.
    return { body: body.subarray(0, length % (body.length - 4)), headers, form: 'broken' }
  })
  return fc.oneof({ weight: 4, arbitrary: made }, { weight: 1, arbitrary: cut })
}

function asSent({ body, headers = {} }: ReturnType<typeof form>): { body: Buffer; headers: Record<string, string> } {
  return { body: body as Buffer, headers }
}

function identifiersOf({ imageIds, endedIds, openIds, othersIds, families }: Known): string[] {
  return [...imageIds, ...endedIds, ...openIds.slice(0, 3), ...othersIds, ...families.map(({ id }) => id)]
}
