import fc from 'fast-check'
import type { PublicFamily } from '../../src/contract/shapes/family.ts'
import { onePixel } from '../support/http/everyEndpoint.ts'
import { at, document, escaped } from '../support/http/responseConformance.ts'
import type { FormPart } from '../support/http/uploads.ts'
import { sentBodies, webhookAddress } from './bodies.ts'
import { headersOf, oddHeaders } from './headers.ts'
import { idListOf, idsOf, oddIds, oddQueries, queriesOf } from './targets.ts'
import type { Schema } from './values.ts'

/** `url` starts after `/api/v1`; `form` contains the parts of a multipart body, unless it was broken. */
export type FuzzRequest = {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  url: string
  headers: Record<string, string>
  body?: string | Buffer
  form?: FormPart[] | 'broken'
}

/** `pointer`: its JSON pointer in the document. */
type Parameter = { name: string; in: 'query' | 'path' | 'header'; schema: Schema; pointer: string }
export type Operation = {
  operationId: string
  method: FuzzRequest['method']
  path: string
  parameters: Parameter[]
  requestBody?: { required: boolean; content: Record<string, { schema: { $ref: string } }> }
}

/** Existing objects for requests. */
export type Known = {
  keys: { own: string; others: string }
  families: PublicFamily[]
  imageIds: string[]
  /** Files for deletions only. */
  doomedIds: string[]
  lastFileId: string
  /** Open generations; requests never wait for them. */
  openIds: string[]
  endedIds: string[]
  /** Keys and webhooks of the team, other than the key of the requests; the doomed ones for deletions only. */
  keyIds: string[]
  doomedKeyIds: string[]
  webhookIds: string[]
  doomedWebhookIds: string[]
  deliveryIds: string[]
  othersIds: string[]
  cursors: string[]
  etags: string[]
}

/** The operations of our own document. */
export const operations: Operation[] = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => {
    const described = operation as unknown as Operation
    const parameters = (described.parameters ?? []).map((_, index) => parameterAt(`#/paths/${escaped(path)}/${method}/parameters/${index}`))
    return { ...described, parameters, path, method: method.toUpperCase() as FuzzRequest['method'] }
  }),
)

function parameterAt(pointer: string): Parameter {
  const found = at<Parameter & { $ref?: string }>(pointer)
  if (!found) throw new Error(`Nothing stands at ${pointer}.`)
  return found.$ref === undefined ? { ...found, pointer } : parameterAt(found.$ref)
}

/** Requests for one operation: half of them valid, the others odd in one part or more. */
export function requestsOf(operation: Operation, known: Known): fc.Arbitrary<FuzzRequest> {
  const good = assembled(operation, known, { odd: false })
  const odd = assembled(operation, known, { odd: true })
  return fc.oneof({ weight: 2, arbitrary: good }, { weight: 3, arbitrary: odd })
}

/** A request that the operation must answer successfully. */
export function goodRequestOf(operation: Operation, known: Known): FuzzRequest {
  const { operationId, method, path } = operation
  const id = operationId === 'deleteFile' ? known.lastFileId : (idListOf(operation, known).at(-1) ?? '')
  const body = goodBodies[operationId] ?? (operation.requestBody?.required ? start : undefined)
  const sent = body === undefined ? {} : { body: JSON.stringify(body) }
  const type: Record<string, string> = 'body' in sent ? { 'content-type': 'application/json' } : {}
  return { method, url: path.replace('{id}', id), headers: { authorization: `Bearer ${known.keys.own}`, ...type }, ...sent }
}

const start = { familyId: 'sandbox-image', prompt: 'a lighthouse' }
const goodBodies: Record<string, object> = {
  uploadFile: { base64: onePixel },
  startBatch: { items: [start] },
  issueKey: { name: 'good', scopes: ['catalog:read'] },
  updateKey: { name: 'good' },
  createWebhook: { address: webhookAddress, events: ['generation.failed'] },
  updateWebhook: { paused: false },
}

function assembled(operation: Operation, known: Known, { odd }: { odd: boolean }): fc.Arbitrary<FuzzRequest> {
  const rarely = <Value>(usual: fc.Arbitrary<Value>, strange: fc.Arbitrary<Value>, weight = 3) =>
    odd ? fc.oneof({ weight: 10, arbitrary: usual }, { weight, arbitrary: strange }) : usual
  const target = fc.tuple(
    rarely(idsOf(operation, known), oddIds(operation, known)),
    rarely(queriesOf(operation, known), oddQueries(operation, known), 6),
  )
  return fc
    .record({ target, headers: rarely(headersOf(known), oddHeaders(known), 4), sent: sentBodies(operation, known, odd) })
    .map(({ target: [id, query], headers, sent }) => {
      const mayWait = operation.operationId === 'getGeneration' && known.openIds.includes(id)
      const search = query === '' || mayWait ? '' : `?${query}`
      return {
        method: operation.method,
        url: operation.path.replace('{id}', () => id) + search,
        ...sent,
        headers: { ...sent.headers, ...headers },
      }
    })
}
