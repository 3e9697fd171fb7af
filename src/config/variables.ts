import { join, resolve } from 'node:path'
import { z } from 'zod'
import { limits } from '../contract/limits.ts'
import { workQueues } from '../contract/workQueues.ts'
import { parseCidrs } from '../network/addresses.ts'
import { parseSecretKey } from '../secrets/keyRing.ts'
import { databaseUrl, databaseUrlWords } from './databaseUrl.ts'
import { telemetryVariables } from './telemetryVariables.ts'

const host = z.string().regex(/^[A-Za-z0-9._:-]{1,255}$/)
const hostWords = 'an address or a host name to listen on'

const port = z
  .string()
  .regex(/^\d{1,5}$/)
  .transform(Number)
  .pipe(z.number().max(65_535))
const portWords = 'a port from 0 to 65535, 0 for any free port'

const origin = z.string().transform((text, context) => {
  const url = URL.parse(text)
  const bare = url !== null && /^https?:$/.test(url.protocol) && url.pathname === '/' && !/[@?#]/.test(text)
  if (bare) return url.origin
  context.addIssue('not an origin')
  return z.NEVER
})
const originWords = 'an http or https address without a path, such as https://media.example.com'

const blocksWords = 'address blocks (CIDR) separated by commas, such as 10.0.0.0/8,fd00::/8'

const folder = z
  .string()
  .refine((text) => !text.includes('\0'))
  .transform((text) => resolve(text))

const queues = z
  .string()
  .transform((text) => text.split(',').map((name) => name.trim()))
  .pipe(z.array(z.enum(workQueues)))

const domains = z
  .string()
  .transform((text) => text.split(',').map((domain) => domain.trim().toLowerCase()))
  .pipe(z.array(z.string().regex(/^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/)))

const issuer = z.string().refine((text) => {
  const url = URL.parse(text)
  return url !== null && /^https?:$/.test(url.protocol) && !/[@?#\s]/.test(text)
})
const oidcText = z.string().regex(/^[\x21-\x7e]{1,1024}$/)

const smtpUrl = z.string().refine((text) => {
  const url = URL.parse(text)
  return url !== null && /^smtps?:$/.test(url.protocol) && url.hostname !== '' && /^\/?$/.test(url.pathname) && !/[?#\s]/.test(text)
})

const rate = z
  .string()
  .regex(/^\d{1,7}(\.\d{1,6})?$/)
  .transform(Number)
  .pipe(z.number().positive().max(1_000_000))
const rateWords = 'a number above 0, at most 1000000, with up to six decimals'

/** `takes` completes the sentence "NAME takes …". `read` parses the text. `otherwise` is the default value. */
/** `secret`: `<name>_FILE` may name a file with the value instead. */
export type Variable = { takes: string; read: z.ZodType<unknown, string>; otherwise?: unknown; secret?: true }

/**
 * Every variable of the service, except those of vendors, which `vendorVariables.ts` derives from the vendors' descriptions.
 * Contract: docs/contract.md#environment-variables.
 */
export const variables = {
  HOST: { takes: hostWords, read: host, otherwise: '127.0.0.1' },
  INTERNAL_HOST: { takes: hostWords, read: host, otherwise: '127.0.0.1' },
  PORT: { takes: portWords, read: port, otherwise: 8080 },
  PUBLIC_PORT: { takes: portWords, read: port },
  INTERNAL_PORT: { takes: portWords, read: port },
  BASE_URL: { takes: originWords, read: origin },
  INTERNAL_URL: { takes: originWords, read: origin },
  DATABASE_URL: { takes: databaseUrlWords, read: databaseUrl, secret: true },
  DATABASE_DIRECT_URL: { takes: databaseUrlWords, read: databaseUrl, secret: true },
  DATABASE_REPLICA_URL: { takes: databaseUrlWords, read: databaseUrl, secret: true },
  DATA_DIR: { takes: 'a folder', read: folder, otherwise: resolve('.data') },
  STORAGE_URL: {
    takes: 'file:///path or s3://bucket/prefix?endpoint=https://…&region=…',
    read: z.string().refine((text) => /^(file:\/\/\/|s3:\/\/)./.test(text) && URL.canParse(text)),
  },
  SECRET_KEY: { takes: '32 bytes in base64, several separated by commas', read: parsedBy(parseSecretKey), secret: true },
  SERVICE_TOKEN: {
    takes: 'at least 32 printable ASCII characters without spaces',
    read: z.string().regex(/^[\x21-\x7e]{32,1024}$/),
    secret: true,
  },
  CATALOG_PATH: { takes: 'a folder of family files', read: folder, otherwise: join(import.meta.dirname, '..', '..', 'catalog') },
  ALLOWED_PRIVATE_ADDRESSES: { takes: blocksWords, read: parsedBy(parseCidrs), otherwise: [] },
  TRUSTED_PROXIES: { takes: blocksWords, read: parsedBy(parseCidrs), otherwise: [] },
  RATE_LIMIT_PER_MINUTE: {
    takes: 'a whole number from 1 to 1000000',
    read: wholeNumber(limits.requestsPerMinuteMax),
    otherwise: limits.requestsPerMinute,
  },
  CONCURRENT_REQUESTS_MAX: {
    takes: 'a whole number from 1 to 10000',
    read: wholeNumber(limits.requestsInProgressMax),
    otherwise: limits.requestsInProgress,
  },
  OPEN_GENERATIONS_MAX: { takes: 'a whole number from 1 to 1000000', read: wholeNumber(1_000_000), otherwise: limits.openGenerations },
  UNUSED_FILES_BYTES_MAX: {
    takes: 'a whole number from 1 to 1000000000000000',
    read: wholeNumber(1e15),
    otherwise: limits.unusedFilesBytes,
  },
  UNUSED_FILES_MAX: { takes: 'a whole number from 1 to 1000000000', read: wholeNumber(1e9), otherwise: limits.unusedFiles },
  WEBHOOK_FIRST_RETRY_SECONDS: {
    takes: 'seconds from 0.01 to 3600',
    read: z
      .string()
      .regex(/^\d{1,4}(\.\d{1,3})?$/)
      .transform(Number)
      .pipe(z.number().min(0.01).max(3_600)),
    otherwise: limits.webhookFirstRetrySeconds,
  },
  WEBHOOK_AUTO_PAUSE_DAYS: {
    takes: 'a whole number of days from 0 to 28',
    read: wholeNumber(28, 0),
    otherwise: limits.webhookAutoPauseDays,
  },
  // The slowest vendors take 600 s to answer. One more minute is for storing the result.
  DRAIN_SECONDS: { takes: 'a whole number from 0 to 86400', read: wholeNumber(86_400, 0), otherwise: 660 },
  HISTORY_KEPT_DAYS: {
    takes: 'a whole number of days from 31 to 36500',
    read: z
      .string()
      .regex(/^\d{2,5}$/)
      .transform(Number)
      .pipe(z.number().min(31).max(36_500)),
  },
  CREDITS_PER_USD: { takes: rateWords, read: rate, otherwise: 100 },
  PRICE_MARKUP: { takes: rateWords, read: rate, otherwise: 1 },
  OIDC_ISSUER: { takes: 'the address of the issuer, by https unless it is on this machine or in ALLOWED_PRIVATE_ADDRESSES', read: issuer },
  OIDC_CLIENT_ID: { takes: 'the name of the client at the issuer', read: oidcText },
  OIDC_CLIENT_SECRET: { takes: 'the secret of the client at the issuer', read: oidcText, secret: true },
  OIDC_NAME: { takes: 'the name of the issuer on the sign-in page, 1 to 40 characters', read: z.string().regex(/^[^\p{C}]{1,40}$/u) },
  OIDC_ALLOWED_DOMAINS: { takes: 'e-mail domains separated by commas', read: domains },
  OIDC_GROUPS_CLAIM: {
    takes: 'the name of a claim, or a path such as realm_access.roles, 1 to 200 characters',
    read: z.string().regex(/^[\x21-\x7e]{1,200}$/),
  },
  SMTP_URL: { takes: 'smtp:// or smtps:// with a host, such as smtps://user:password@mail.example.com', read: smtpUrl, secret: true },
  MAIL_FROM: { takes: 'an e-mail address', read: z.string().regex(/^[^\s@<>",;]{1,64}@[A-Za-z0-9.-]{1,253}$/) },
  ...telemetryVariables,
  METRICS_PORT: { takes: portWords, read: port },
  DATABASE_POOL_MAX: { takes: 'a whole number from 4 to 200', read: wholeNumber(200, 4) },
  SLOW_STATEMENT_MS: { takes: 'a whole number of milliseconds from 1 to 60000', read: wholeNumber(60_000), otherwise: 500 },
  BACKUP_TOOL: { takes: 'atelier or other', read: z.enum(['atelier', 'other']), otherwise: 'atelier' },
  // Read by bin/atelier.js, because Node takes it at its start.
  SEMI_SPACE_MB: { takes: 'a whole number of MiB from 1 to 256', read: wholeNumber(256) },
  WORK_QUEUES: { takes: `some of ${workQueues.join(',')}, separated by commas`, read: queues, otherwise: workQueues },
  LOG_LEVEL: {
    takes: 'fatal, error, warn, info, debug, trace or silent',
    read: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
    otherwise: 'info',
  },
  LOG_FORMAT: { takes: 'auto, json or pretty', read: z.enum(['auto', 'json', 'pretty']), otherwise: 'auto' },
} as const satisfies Record<string, Variable>

export type VariableName = keyof typeof variables

type Variables = typeof variables

export type VariableValues = {
  [Name in VariableName]: z.output<Variables[Name]['read']> | (Variables[Name] extends { otherwise: unknown } ? never : undefined)
}

/** Parses a whole number from `min` to `max`. */
export function wholeNumber(max: number, min = 1) {
  return z
    .string()
    .regex(/^\d{1,16}$/)
    .transform(Number)
    .pipe(z.number().min(min).max(max))
}

function parsedBy<Value>(parse: (text: string) => Value) {
  return z.string().transform((text, context) => {
    try {
      return parse(text)
    } catch {
      context.addIssue('not in this form')
      return z.NEVER
    }
  })
}
