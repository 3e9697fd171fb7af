import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { ConfigError } from '../../src/config/configError.ts'
import { type Command, readConfig } from '../../src/config/readConfig.ts'
import { variables } from '../../src/config/variables.ts'

const key = Buffer.alloc(32, 7).toString('base64')
const otherKey = Buffer.alloc(32, 8).toString('base64')
const external = { DATABASE_URL: 'postgresql://u:p@db.internal:5432/atelier', SECRET_KEY: key }
const readStart = (env: Record<string, string>) => readConfig(env, { command: 'start' })

function refusal(env: Record<string, string>, command: Command = 'start'): string {
  try {
    readConfig(env, { command })
  } catch (error) {
    if (error instanceof ConfigError) return error.message
    throw error
  }
  throw new Error('it was accepted')
}

test('an empty environment gives the defaults of the contract', () => {
  expect(readStart({})).toEqual({
    listeners: [{ serves: 'everything', host: '127.0.0.1', port: 8080 }],
    baseUrl: undefined,
    usualUrl: 'http://127.0.0.1:8080',
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
    unusedFilesMax: { bytes: 10_737_418_240, files: 10_000 },
    webhookFirstRetrySeconds: 10,
    vendors: { openai: undefined, fal: undefined, replicate: undefined, comfyui: undefined, google: undefined, elevenlabs: undefined },
    vendorLoads: { openai: {}, fal: {}, replicate: {}, comfyui: { atOnce: 2 }, google: {}, elevenlabs: {} },
    rates: { creditsPerUsd: 100, markup: 1 },
    logLevel: 'info',
  })
})

test('every variable is read into its value', () => {
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
    UNUSED_FILES_BYTES_MAX: '1000000000000',
    UNUSED_FILES_MAX: '100',
    WEBHOOK_FIRST_RETRY_SECONDS: '0.25',
    LOG_LEVEL: 'silent',
  })
  expect(config).toMatchObject({
    listeners: [{ serves: 'everything', host: '::1', port: 9000 }],
    usualUrl: 'http://[::1]:9000',
    baseUrl: 'https://media.example.com',
    internalUrl: 'http://10.0.0.7:8081',
    database: { kind: 'external', url: external.DATABASE_URL },
    dataFolder: resolve('somewhere'),
    storageUrl: 's3://bucket/prefix?endpoint=https://s3.example.com&region=eu-1',
    serviceToken: 't'.repeat(32),
    catalogFolder: resolve('families'),
    requestsPerMinute: 5,
    requestsInProgress: 2,
    unusedFilesMax: { bytes: 1e12, files: 100 },
    webhookFirstRetrySeconds: 0.25,
    logLevel: 'silent',
  })
  expect(config.secretKeys?.map((bytes) => bytes.toString('base64'))).toEqual([key, otherKey])
  expect(config.allowedPrivateAddresses.map(({ prefixBits }) => prefixBits)).toEqual([8, 8])
  expect(config.trustedProxies.map(({ prefixBits }) => prefixBits)).toEqual([32, 64])
})

const bad: Record<keyof typeof variables, string[]> = {
  HOST: ['a b', 'http://x', 'x'.repeat(256)],
  INTERNAL_HOST: ['a b', 'http://x'],
  PORT: ['http', '-1', '65536', '80.5', '0x50', '1e3', '+80'],
  PUBLIC_PORT: ['public'],
  INTERNAL_PORT: ['99999'],
  BASE_URL: ['media.example.com', 'ftp://x', 'https://x/path', 'https://u:p@x', 'https://x/?a', 'https://x#a', 'https://'],
  INTERNAL_URL: ['10.0.0.7:8081', 'http://x/graphql'],
  DATABASE_URL: ['mysql://x/y', 'localhost', 'db.internal:5432/atelier'],
  DATA_DIR: ['a\0b'],
  STORAGE_URL: ['files', 'file://host/path', 'file:files', 's3://', 'https://bucket'],
  SECRET_KEY: ['secret', Buffer.alloc(31).toString('base64'), `${key},`, `${key};${key}`, Buffer.alloc(32).toString('hex')],
  SERVICE_TOKEN: ['t'.repeat(31), `${'t'.repeat(40)} t`, 'ü'.repeat(32)],
  CATALOG_PATH: ['a\0b'],
  ALLOWED_PRIVATE_ADDRESSES: ['localhost', '10.0.0.0/33', '10.0.0/8', '10.0.0.0/8;127.0.0.0/8'],
  TRUSTED_PROXIES: ['proxy', '10.0.0.0/33', 'loopback'],
  RATE_LIMIT_PER_MINUTE: ['0', '-1', '1.5', 'many', '1000001', 'Infinity'],
  CONCURRENT_REQUESTS_MAX: ['0', '10001', ''.padStart(20, '9')],
  UNUSED_FILES_BYTES_MAX: ['0', '10GB', '1000000000000001'],
  UNUSED_FILES_MAX: ['0', '-1', '1000000001'],
  WEBHOOK_FIRST_RETRY_SECONDS: ['0', '-1', '3601', '10s', 'NaN', '1e1'],
  OPENAI_API_KEY: ['a key', 'ü'],
  OPENAI_BASE_URL: ['api.openai.com', 'ftp://x', 'https://u:p@x', 'https://x/v1?a', 'https://x/v1#a'],
  FAL_KEY: ['a key'],
  FAL_QUEUE_URL: ['queue.fal.run'],
  REPLICATE_API_TOKEN: ['a token'],
  REPLICATE_BASE_URL: ['file:///x'],
  COMFYUI_URL: ['127.0.0.1:8188', 'http://u@127.0.0.1:8188'],
  COMFYUI_TOKEN: ['a token'],
  GEMINI_API_KEY: ['a key'],
  GOOGLE_BASE_URL: ['x'],
  ELEVENLABS_API_KEY: ['a key'],
  ELEVENLABS_BASE_URL: ['x'],
  OPENAI_AT_ONCE: ['0', '1.5'],
  OPENAI_PER_MINUTE: ['-1', '100001'],
  FAL_AT_ONCE: ['0', '1.5'],
  FAL_PER_MINUTE: ['-1', '100001'],
  REPLICATE_AT_ONCE: ['0', '1.5'],
  REPLICATE_PER_MINUTE: ['-1', '100001'],
  COMFYUI_AT_ONCE: ['0', '1.5'],
  COMFYUI_PER_MINUTE: ['-1', '100001'],
  GOOGLE_AT_ONCE: ['0', '1.5'],
  GOOGLE_PER_MINUTE: ['-1', '100001'],
  ELEVENLABS_AT_ONCE: ['0', '1.5'],
  ELEVENLABS_PER_MINUTE: ['-1', '100001'],
  CREDITS_PER_USD: ['0', '-1', '1e3', '1000001', '1.1234567'],
  PRICE_MARKUP: ['0', 'double'],
  OIDC_ISSUER: [
    'id.example.com',
    'ftp://id.example.com',
    'https://u:p@id.example.com',
    'https://id.example.com?a',
    'https://id.example.com#a',
  ],
  OIDC_CLIENT_ID: ['a client', 'ü', 'x'.repeat(1025)],
  OIDC_CLIENT_SECRET: ['a secret', 'ü'],
  OIDC_NAME: ['x'.repeat(41), 'a\u0007b'],
  LOG_LEVEL: ['INFO', 'verbose', '__proto__'],
}
const badCases = Object.entries(bad).flatMap(([name, values]) => values.map((value) => [name, value] as const))

test.each(badCases)('%s refuses %j in one line that names it, says what it takes and keeps the value to itself', (name, value) => {
  const message = refusal({ [name]: value })
  expect(message).toBe(`${name} takes ${variables[name as keyof typeof variables].takes}`)
  expect(message).not.toContain('\n')
})

const loops = [
  { PUBLIC_PORT: '8080', INTERNAL_URL: 'http://127.0.0.1:8080' },
  { PUBLIC_PORT: '8080', INTERNAL_URL: 'http://localhost:8080' },
  { PUBLIC_PORT: '80', HOST: '0.0.0.0', INTERNAL_URL: 'http://[::1]' },
  { PUBLIC_PORT: '80', HOST: 'media.internal', INTERNAL_URL: 'http://media.internal' },
  { PUBLIC_PORT: '8080', BASE_URL: 'https://media.example.com', INTERNAL_URL: 'https://media.example.com:443' },
]

test.each(loops)('an INTERNAL_URL that leads back to the public listener stops the start: %j', (env) => {
  expect(refusal(env)).toBe('INTERNAL_URL takes the address of an internal listener, and names the public one of this process')
})

test('an INTERNAL_URL may lead to another port of the same machine, and means nothing where one listener serves all', () => {
  expect(readStart({ PUBLIC_PORT: '8080', INTERNAL_PORT: '8081', INTERNAL_URL: 'http://127.0.0.1:8081' }).internalUrl).toBe(
    'http://127.0.0.1:8081',
  )
  expect(readStart({ PORT: '8080', INTERNAL_URL: 'http://127.0.0.1:8080' }).listeners).toHaveLength(1)
})

test('several bad values are told together, in one line', () => {
  expect(refusal({ PORT: 'x', LOG_LEVEL: 'loud' })).toMatch(/^PORT takes [^\n]+; LOG_LEVEL takes [^\n]+$/)
})

test('empty and blank variables count as unset, unknown ones are ignored', () => {
  const blank = Object.fromEntries(Object.keys(variables).map((name, index) => [name, index % 2 === 0 ? '' : '  ']))
  expect(readStart({ ...blank, PORTS: 'x', __proto__: 'x' })).toEqual(readStart({}))
})

test.each(['serve', 'work'] as const)('%s needs DATABASE_URL', (command) => {
  expect(refusal({}, command)).toMatch(/^DATABASE_URL is not set, and .* it takes an address such as postgresql:/)
})

test.each(['start', 'serve', 'work', 'doctor'] as const)('%s on a database of your own needs SECRET_KEY', (command) => {
  const { DATABASE_URL } = external
  expect(refusal({ DATABASE_URL }, command)).toMatch(/^SECRET_KEY is not set, and .* it takes 32 bytes in base64/)
  expect(readConfig(external, { command }).database.kind).toBe('external')
})

test.each(['migrate', 'openapi', 'schema'] as const)('%s needs no SECRET_KEY', (command) => {
  const { DATABASE_URL } = external
  expect(readConfig({ DATABASE_URL }, { command }).secretKeys).toBeUndefined()
})

test('a split deployment listens on the ports of its parts alone', () => {
  expect(readStart({ HOST: '0.0.0.0', PORT: '80', PUBLIC_PORT: '81', INTERNAL_PORT: '82' }).listeners).toEqual([
    { serves: 'public', host: '0.0.0.0', port: 81 },
    { serves: 'internal', host: '127.0.0.1', port: 82 },
  ])
  const internal = readStart({ HOST: '0.0.0.0', INTERNAL_HOST: '10.0.0.7', INTERNAL_PORT: '82' }).listeners
  expect(internal).toEqual([{ serves: 'internal', host: '10.0.0.7', port: 82 }])
  expect(readStart({ PUBLIC_PORT: '0', INTERNAL_PORT: '0' }).listeners).toHaveLength(2)
  expect(refusal({ PUBLIC_PORT: '81', INTERNAL_PORT: '81' })).toBe('INTERNAL_PORT takes another port than PUBLIC_PORT')
})

test('the configuration cannot be changed', () => {
  const config = readStart({ ALLOWED_PRIVATE_ADDRESSES: '10.0.0.0/8' })
  for (const part of [config, config.listeners, config.listeners[0], config.database, config.allowedPrivateAddresses]) {
    expect(Object.isFrozen(part)).toBe(true)
  }
})
