import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { limits } from '../../src/contract/limits.ts'
import { lockReasons, priceUnits } from '../../src/contract/shapes/family.ts'
import { mediaFields } from '../../src/contract/shapes/media.ts'
import { outputTypes } from '../../src/contract/shapes/outputTypes.ts'
import { tasks } from '../../src/contract/shapes/tasks.ts'
import { migrationsFolder } from '../../src/database/migrations/migrationFiles.ts'
import { scopes } from '../../src/entities/ApiKey.ts'
import { generationStates } from '../../src/entities/Generation.ts'
import { webhookEvents } from '../../src/entities/WebhookSubscription.ts'
import { endpoints } from '../../src/rest/endpoints.ts'

const read = (...path: string[]) => readFileSync(join(...path), 'utf8')

test('the limits equal the published limits', () => {
  expect(limits).toMatchObject({
    requestsPerMinute: 600,
    requestsInProgress: 32,
    requestBodyBytes: 262_144,
    fileBytes: 26_214_400,
    imagePixelsMax: 100_000_000,
    promptCharacters: 20_000,
    mediaInputs: 20,
    referenceCharacters: 200,
    metadataEntries: 20,
    metadataNameCharacters: 40,
    metadataValueCharacters: 500,
    historyPageItems: 50,
    waitSecondsMax: 60,
    eventStreamSecondsMax: 600,
    eventCommentSeconds: 15,
    jsonDepth: 32,
    idempotencyKeyCharacters: 255,
    idempotencyHours: 24,
    maxCreditsCeiling: 1_000_000_000,
    resultLinkHours: 48,
    linkRedirectsMax: 3,
    webhookAnswerSeconds: 10,
    webhookRetries: 6,
    webhookFirstRetrySeconds: 10,
    webhookAutoPauseDays: 5,
    webhookReplyBytesKept: 256,
    webhookSecretOverlapHoursMax: 24,
    keyOverlapHoursMax: 168,
    deliveryLogDays: 30,
    auditLogDays: 400,
  })
})

test('SQL functions and the contract have the limits of usage by name and value', () => {
  const constantOf = (name: string, constant: string) =>
    Number(new RegExp(`\\b${constant} constant integer := (\\d+);`).exec(read(migrationsFolder, 'functions', `${name}.sql`))?.[1])
  const { usageLabelNamesPerDay: names, usageLabelValuesPerDay: values } = limits
  expect([constantOf('take_usage_name', 'names_max'), constantOf('count_usage_labels', 'values_max')]).toEqual([names, values])
  expect(read(import.meta.dirname, '..', '..', 'docs', 'contract.md')).toContain(
    `first ${names} names of metadata, and for the first ${values.toLocaleString('en')} values`,
  )
})

test('the names of the interface equal the published names', () => {
  expect({
    scopes,
    generationStates,
    outputTypes,
    priceUnits,
    mediaFields,
    webhookEvents,
    lockReasons: lockReasons.toSorted(),
    tasks,
  }).toEqual({
    scopes: ['catalog:read', 'generations:read', 'generations:write', 'files:write', 'account:read', 'mcp', 'keys:write', 'webhooks:write'],
    generationStates: ['queued', 'running', 'finalizing', 'ready', 'failed', 'cancelled'],
    outputTypes: ['image', 'video', 'audio', 'model3d'],
    priceUnits: ['generation', 'output_second', 'input_second', 'megapixel', 'thousand_characters'],
    mediaFields: ['imageIds', 'videoId', 'videoIds', 'audioIds', 'model3dIds'],
    webhookEvents: ['generation.completed', 'generation.failed', 'generation.cancelled'],
    lockReasons: ['access_denied', 'disabled_by_team', 'subscription_required', 'temporarily_unavailable'],
    tasks: [
      'text-to-image',
      'image-to-image',
      'inpaint',
      'upscale-image',
      'remove-background',
      'text-to-video',
      'image-to-video',
      'video-to-video',
      'upscale-video',
      'lip-sync',
      'text-to-speech',
      'text-to-audio',
      'text-to-music',
      'audio-to-audio',
      'text-to-3d',
      'image-to-3d',
      'retexture-3d',
    ],
  })
})

test('every endpoint requires its published scope', () => {
  const needed = endpoints(() => undefined).map(({ method, path, scope }) => `${method} ${path}: ${scope}`)
  expect(needed.toSorted()).toEqual(
    [
      'DELETE /files/{id}: files:write',
      'DELETE /generations/{id}/result: generations:write',
      'GET /account: account:read',
      'GET /families: catalog:read',
      'GET /families/{id}: catalog:read',
      'GET /files: files:write',
      'GET /files/{id}: files:write',
      'GET /generations: generations:read',
      'GET /generations/{id}: generations:read',
      'GET /generations/{id}/events: generations:read',
      'GET /openapi.json: catalog:read',
      'GET /usage: account:read',
      'GET /keys: keys:write',
      'POST /keys: keys:write',
      'GET /keys/{id}: keys:write',
      'PATCH /keys/{id}: keys:write',
      'DELETE /keys/{id}: keys:write',
      'POST /keys/{id}/rotate: keys:write',
      'GET /webhooks: webhooks:write',
      'POST /webhooks: webhooks:write',
      'GET /webhooks/{id}: webhooks:write',
      'PATCH /webhooks/{id}: webhooks:write',
      'DELETE /webhooks/{id}: webhooks:write',
      'POST /webhooks/{id}/rotate-secret: webhooks:write',
      'POST /webhooks/{id}/test: webhooks:write',
      'GET /webhooks/{id}/deliveries: webhooks:write',
      'GET /deliveries: webhooks:write',
      'GET /deliveries/{id}: webhooks:write',
      'POST /deliveries/{id}/redeliver: webhooks:write',
      'GET /callback-secret: webhooks:write',
      'POST /callback-secret/rotate: webhooks:write',
      'POST /files: files:write',
      'POST /generations: generations:write',
      'POST /generations/batch: generations:write',
      'POST /generations/estimate: generations:read',
      'POST /generations/{id}/cancel: generations:write',
    ].toSorted(),
  )
})
