import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { ConfigError } from '../../src/config/configError.ts'
import { type Command, readConfig } from '../../src/config/readConfig.ts'
import { variables as ownVariables, type Variable } from '../../src/config/variables.ts'
import { vendorVariables } from '../../src/config/vendorVariables.ts'
import { vendors } from '../../src/providers/vendors.ts'
import { badValues } from './badValues.ts'

const key = Buffer.alloc(32, 7).toString('base64')
const otherKey = Buffer.alloc(32, 8).toString('base64')
const external = { DATABASE_URL: 'postgresql://u:p@db.internal:5432/atelier', SECRET_KEY: key }
const readStart = (env: Record<string, string>) => readConfig(env, { command: 'start', vendors })

function refusal(env: Record<string, string>, command: Command = 'start'): string {
  try {
    readConfig(env, { command, vendors })
  } catch (error) {
    if (error instanceof ConfigError) return error.message
    throw error
  }
  throw new Error('it was accepted')
}

test('an empty environment has the defaults of the contract', () => {
  expect(readStart({})).toEqual({
    listeners: [{ serves: 'everything', host: '127.0.0.1', port: 8080 }],
    baseUrl: undefined,
    defaultBaseUrl: 'http://127.0.0.1:8080',
    internalUrl: undefined,
    database: { kind: 'embedded', folder: resolve('.data/postgres') },
    dataFolder: resolve('.data'),
    storageUrl: `file://${resolve('.data/files')}`,
    secretKeys: undefined,
    secretKeyFile: resolve('.data/secret'),
    serviceToken: undefined,
    catalogFolder: join(import.meta.dirname, '..', '..', 'catalog'),
    allowedPrivateAddresses: [],
    trustedProxies: [],
    requestsPerMinute: 600,
    requestsInProgress: 32,
    openGenerationsMax: 1000,
    unusedFilesMax: { bytes: 10_737_418_240, files: 10_000 },
    webhookFirstRetrySeconds: 10,
    webhookAutoPauseDays: 5,
    monitoringAddress: undefined,
    slowStatementMs: 500,
    backupTool: 'atelier',
    workQueues: ['generations', 'deliveries', 'files', 'maintenance'],
    telemetry: undefined,
    drainSeconds: 660,
    historyRetentionDays: undefined,
    vendors: { openai: undefined, fal: undefined, replicate: undefined, comfyui: undefined, google: undefined, elevenlabs: undefined },
    vendorLoads: { openai: {}, fal: {}, replicate: {}, comfyui: { atOnce: 2 }, google: {}, elevenlabs: {} },
    rates: { creditsPerUsd: 100, markup: 1 },
    logFormat: 'auto',
    logLevel: 'info',
  })
})

test('every variable is parsed into its value', () => {
  const config = readStart({
    ...external,
    HOST: '::1',
    PORT: '9000',
    BASE_URL: 'https://Media.Example.com/',
    INTERNAL_URL: 'http://10.0.0.7:8081',
    DATA_DIR: 'somewhere',
    STORAGE_URL: 's3://bucket/prefix?endpoint=https://s3.example.com&region=eu-1',
    SECRET_KEY: `${key},${otherKey}`,
    SERVICE_TOKEN: 't'.repeat(32),
    CATALOG_PATH: 'families',
    ALLOWED_PRIVATE_ADDRESSES: '127.0.0.0/8, fd00::/8',
    TRUSTED_PROXIES: '10.0.0.1,fd00::/64',
    RATE_LIMIT_PER_MINUTE: '5',
    CONCURRENT_REQUESTS_MAX: '2',
    OPEN_GENERATIONS_MAX: '3',
    UNUSED_FILES_BYTES_MAX: '1000000000000',
    UNUSED_FILES_MAX: '100',
    WEBHOOK_FIRST_RETRY_SECONDS: '0.25',
    WEBHOOK_AUTO_PAUSE_DAYS: '0',
    DATABASE_DIRECT_URL: 'postgresql://u:p@db.internal:5433/atelier',
    DATABASE_REPLICA_URL: 'postgresql://u:p@standby.internal:5432/atelier',
    WORK_QUEUES: 'files, deliveries',
    DRAIN_SECONDS: '0',
    HISTORY_KEPT_DAYS: '400',
    LOG_LEVEL: 'silent',
    LOG_FORMAT: 'pretty',
  })
  expect(config).toMatchObject({
    listeners: [{ serves: 'everything', host: '::1', port: 9000 }],
    defaultBaseUrl: 'http://[::1]:9000',
    baseUrl: 'https://media.example.com',
    internalUrl: 'http://10.0.0.7:8081',
    database: {
      kind: 'external',
      url: external.DATABASE_URL,
      directUrl: 'postgresql://u:p@db.internal:5433/atelier',
      replicaUrl: 'postgresql://u:p@standby.internal:5432/atelier',
    },
    workQueues: ['files', 'deliveries'],
    drainSeconds: 0,
    dataFolder: resolve('somewhere'),
    storageUrl: 's3://bucket/prefix?endpoint=https://s3.example.com&region=eu-1',
    serviceToken: 't'.repeat(32),
    catalogFolder: resolve('families'),
    requestsPerMinute: 5,
    requestsInProgress: 2,
    openGenerationsMax: 3,
    unusedFilesMax: { bytes: 1e12, files: 100 },
    webhookFirstRetrySeconds: 0.25,
    webhookAutoPauseDays: 0,
    historyRetentionDays: 400,
    logLevel: 'silent',
    logFormat: 'pretty',
  })
  expect(config.secretKeys?.map((bytes) => bytes.toString('base64'))).toEqual([key, otherKey])
  expect(config.allowedPrivateAddresses.map(({ prefixBits }) => prefixBits)).toEqual([8, 8])
  expect(config.trustedProxies.map(({ prefixBits }) => prefixBits)).toEqual([32, 64])
})

const variables: Record<string, Variable> = { ...ownVariables, ...vendorVariables(vendors) }
const badCases = Object.entries(badValues).flatMap(([name, values]) => values.map((value) => [name, value] as const))

test.each(badCases)('%s refuses %j in one line with its name and valid values, without the value', (name, value) => {
  const message = refusal({ [name]: value })
  expect(message).toBe(`${name} takes ${variables[name]?.takes}`)
  expect(message).not.toContain('\n')
})

const loops = [
  { PUBLIC_PORT: '8080', INTERNAL_URL: 'http://127.0.0.1:8080' },
  { PUBLIC_PORT: '8080', INTERNAL_URL: 'http://localhost:8080' },
  { PUBLIC_PORT: '80', HOST: '0.0.0.0', INTERNAL_URL: 'http://[::1]' },
  { PUBLIC_PORT: '80', HOST: 'media.internal', INTERNAL_URL: 'http://media.internal' },
  { PUBLIC_PORT: '8080', BASE_URL: 'https://media.example.com', INTERNAL_URL: 'https://media.example.com:443' },
]

test.each(loops)('an INTERNAL_URL to the public listener stops the start: %j', (env) => {
  expect(refusal(env)).toBe('INTERNAL_URL must be the address of an internal listener, but it is the public listener of this process')
})

test('an INTERNAL_URL may use another port of the same machine, and is ignored with a single listener', () => {
  expect(readStart({ PUBLIC_PORT: '8080', INTERNAL_PORT: '8081', INTERNAL_URL: 'http://127.0.0.1:8081' }).internalUrl).toBe(
    'http://127.0.0.1:8081',
  )
  expect(readStart({ PORT: '8080', INTERNAL_URL: 'http://127.0.0.1:8080' }).listeners).toHaveLength(1)
})

test('several invalid values are reported together, in one line', () => {
  expect(refusal({ PORT: 'x', LOG_LEVEL: 'loud' })).toMatch(/^PORT takes [^\n]+; LOG_LEVEL takes [^\n]+$/)
})

test('empty and blank variables count as unset, unknown ones are ignored', () => {
  const blank = Object.fromEntries(Object.keys(variables).map((name, index) => [name, index % 2 === 0 ? '' : '  ']))
  expect(readStart({ ...blank, PORTS: 'x', __proto__: 'x' })).toEqual(readStart({}))
})

test.each(['serve', 'work'] as const)('%s needs DATABASE_URL', (command) => {
  expect(refusal({}, command)).toMatch(/^DATABASE_URL is not set, but .* it takes an address such as postgresql:/)
})

test.each(['doctor', 'backup', 'restore', 'export'] as const)('%s needs DATABASE_URL or --embedded, and not both', (command) => {
  expect(refusal({}, command)).toMatch(/^DATABASE_URL is not set, but .* or --embedded for the database in DATA_DIR: it takes /)
  expect(readConfig({}, { command, vendors, embedded: true }).database.kind).toBe('embedded')
  expect(() => readConfig(external, { command, vendors, embedded: true })).toThrow('DATABASE_URL must be unset with --embedded')
})

test.each(['start', 'serve', 'work', 'doctor'] as const)('%s with an external database needs SECRET_KEY', (command) => {
  const { DATABASE_URL } = external
  expect(refusal({ DATABASE_URL }, command)).toMatch(/^SECRET_KEY is not set, but .* it takes 32 bytes in base64/)
  expect(readConfig(external, { command, vendors }).database.kind).toBe('external')
})

test.each(['migrate', 'openapi', 'schema'] as const)('%s needs no SECRET_KEY', (command) => {
  const { DATABASE_URL } = external
  expect(readConfig({ DATABASE_URL }, { command, vendors }).secretKeys).toBeUndefined()
})

test('a direct URL and a replica need the database URL', () => {
  const replica = { DATABASE_REPLICA_URL: 'postgresql://standby/atelier' }
  expect(refusal(replica)).toMatch(/^DATABASE_URL is not set, but DATABASE_REPLICA_URL requires it/)
  const direct = { DATABASE_DIRECT_URL: 'postgresql://db/atelier' }
  expect(refusal(direct)).toMatch(/^DATABASE_URL is not set, but DATABASE_DIRECT_URL requires it/)
})

test('a split deployment listens only on its public and internal ports', () => {
  expect(readStart({ HOST: '0.0.0.0', PORT: '80', PUBLIC_PORT: '81', INTERNAL_PORT: '82' }).listeners).toEqual([
    { serves: 'public', host: '0.0.0.0', port: 81 },
    { serves: 'internal', host: '127.0.0.1', port: 82 },
  ])
  const internal = readStart({ HOST: '0.0.0.0', INTERNAL_HOST: '10.0.0.7', INTERNAL_PORT: '82' }).listeners
  expect(internal).toEqual([{ serves: 'internal', host: '10.0.0.7', port: 82 }])
  expect(readStart({ PUBLIC_PORT: '0', INTERNAL_PORT: '0' }).listeners).toHaveLength(2)
  expect(refusal({ PUBLIC_PORT: '81', INTERNAL_PORT: '81' })).toBe('INTERNAL_PORT must differ from PUBLIC_PORT')
})

test('the configuration cannot be changed', () => {
  const config = readStart({ ALLOWED_PRIVATE_ADDRESSES: '10.0.0.0/8' })
  for (const part of [config, config.listeners, config.listeners[0], config.database, config.allowedPrivateAddresses]) {
    expect(Object.isFrozen(part)).toBe(true)
  }
})
