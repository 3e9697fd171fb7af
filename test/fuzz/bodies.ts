import fc from 'fast-check'
import type { Scope } from '../../src/entities/ApiKey.ts'
import { webhookEvents } from '../../src/entities/WebhookSubscription.ts'
import { restScopes } from '../support/factories.ts'
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
  const managed = managementBodies[operationId]
  if (managed) return fc.oneof({ weight: 1, arbitrary: described }, { weight: 4, arbitrary: managed })
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

/** The scopes of the key of the requests. */
export const managerScopes: readonly Scope[] = [...restScopes, 'keys:write', 'webhooks:write']

/** Allowed by the settings of the fuzzed service; nothing listens there. */
export const webhookAddress = 'http://127.0.0.9/hook'

const ceilings = fc.constantFrom(null, 0, 0.01, 5, 1e6, 1e12, -1, 0.001)
const keySettings = {
  dailyLimitCredits: ceilings,
  monthlyLimitCredits: ceilings,
  singleLimitCredits: ceilings,
  confirmAboveCredits: ceilings,
  expiresAt: fc.constantFrom(null, '2099-01-01T00:00:00.000Z', '2001-01-01T00:00:00Z', '2099-02-28T23:59:59+14:00'),
}
const keyName = fc.string({ minLength: 1, maxLength: 40, unit: 'grapheme' })
const events = fc.subarray([...webhookEvents], { minLength: 1 })
const record = <Fields extends object>(fields: { [Name in keyof Fields]: fc.Arbitrary<Fields[Name]> }, requiredKeys: (keyof Fields)[]) =>
  fc.record(fields, { requiredKeys, noNullPrototype: true }) as fc.Arbitrary<unknown>

/** Mostly valid requests of the management. Other addresses than the first are refused before any request. */
const managementBodies: Record<string, fc.Arbitrary<unknown>> = {
  issueKey: record({ name: keyName, scopes: fc.subarray([...managerScopes], { minLength: 1 }), ...keySettings }, ['name', 'scopes']),
  updateKey: record({ name: keyName, ...keySettings }, []),
  createWebhook: record(
    {
      address: fc.constantFrom(webhookAddress, webhookAddress, 'https://10.0.0.1/', 'http://a:b@127.0.0.9/', 'https://[::1]/', 'ftp://x/'),
      events,
    },
    ['address', 'events'],
  ),
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
