import type { Scope } from '../../../src/entities/ApiKey.ts'
import type { Asked } from '../app.ts'

/** An endpoint, its scope, and a valid request. `{id}` is a generation. */
export type EndpointCase = { what: string; scope: Scope; asked?: Omit<Asked, 'key'>; status: number }

const body = { familyId: 'sandbox-image', prompt: 'a lighthouse' }

/** One per endpoint; `generationId` is a generation of the caller. */
export function everyEndpoint(generationId: string): EndpointCase[] {
  return [
    { what: 'GET /families', scope: 'catalog:read', status: 200 },
    { what: 'GET /families/sandbox-image', scope: 'catalog:read', status: 200 },
    { what: 'POST /files', scope: 'files:write', asked: { body: { base64: onePixel } }, status: 201 },
    { what: 'GET /files', scope: 'files:write', status: 200 },
    { what: 'GET /files/file_00000000000000000000000000', scope: 'files:write', status: 404 },
    { what: 'DELETE /files/file_00000000000000000000000000', scope: 'files:write', status: 404 },
    { what: 'POST /generations/estimate', scope: 'generations:read', asked: { body }, status: 200 },
    { what: 'POST /generations', scope: 'generations:write', asked: { body }, status: 201 },
    { what: 'POST /generations/batch', scope: 'generations:write', asked: { body: { items: [body] } }, status: 200 },
    { what: `GET /generations/${generationId}`, scope: 'generations:read', status: 200 },
    { what: 'GET /generations/gen_00000000000000000000000000/events', scope: 'generations:read', status: 404 },
    { what: 'GET /generations', scope: 'generations:read', status: 200 },
    { what: `POST /generations/${generationId}/cancel`, scope: 'generations:write', status: 200 },
    { what: `DELETE /generations/${generationId}/result`, scope: 'generations:write', status: 204 },
    { what: 'GET /account', scope: 'account:read', status: 200 },
    { what: 'GET /usage', scope: 'account:read', status: 200 },
    { what: 'GET /keys', scope: 'keys:write', status: 200 },
    { what: 'POST /keys', scope: 'keys:write', asked: { body: { name: 'new', scopes: ['keys:write'] } }, status: 201 },
    { what: 'GET /keys/key_00000000000000000000000000', scope: 'keys:write', status: 404 },
    { what: 'PATCH /keys/key_00000000000000000000000000', scope: 'keys:write', asked: { body: {} }, status: 404 },
    { what: 'DELETE /keys/key_00000000000000000000000000', scope: 'keys:write', status: 404 },
    { what: 'POST /keys/key_00000000000000000000000000/rotate', scope: 'keys:write', status: 404 },
    { what: 'GET /webhooks', scope: 'webhooks:write', status: 200 },
    {
      what: 'POST /webhooks',
      scope: 'webhooks:write',
      asked: { body: { address: 'https://[2001:db8::1]/', events: ['generation.failed'] } },
      status: 400,
    },
    { what: 'GET /webhooks/hook_00000000000000000000000000', scope: 'webhooks:write', status: 404 },
    { what: 'PATCH /webhooks/hook_00000000000000000000000000', scope: 'webhooks:write', asked: { body: {} }, status: 404 },
    { what: 'DELETE /webhooks/hook_00000000000000000000000000', scope: 'webhooks:write', status: 404 },
    { what: 'POST /webhooks/hook_00000000000000000000000000/rotate-secret', scope: 'webhooks:write', status: 404 },
    { what: 'POST /webhooks/hook_00000000000000000000000000/test', scope: 'webhooks:write', status: 404 },
    { what: 'GET /webhooks/hook_00000000000000000000000000/deliveries', scope: 'webhooks:write', status: 404 },
    { what: 'GET /deliveries', scope: 'webhooks:write', status: 200 },
    { what: 'GET /deliveries/evt_00000000000000000000000000', scope: 'webhooks:write', status: 404 },
    { what: 'POST /deliveries/evt_00000000000000000000000000/redeliver', scope: 'webhooks:write', status: 404 },
    { what: 'GET /callback-secret', scope: 'webhooks:write', status: 200 },
    { what: 'POST /callback-secret/rotate', scope: 'webhooks:write', status: 200 },
    { what: 'GET /openapi.json', scope: 'catalog:read', status: 200 },
  ]
}

/** The smallest PNG. */
export const onePixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
