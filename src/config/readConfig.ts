import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { WorkQueue } from '../contract/workQueues.ts'
import type { Cidr } from '../network/addresses.ts'
import type { Vendor } from '../providers/connector/vendor.ts'
import { ConfigError } from './configError.ts'
import { type OidcConfig, oidcOf } from './oidc.ts'
import { readVariables } from './readVariables.ts'
import { type TelemetryConfig, telemetryOf } from './telemetry.ts'
import { type VariableName, type VariableValues, variables } from './variables.ts'
import { type VendorLoad, type VendorsConfig, vendorLoadsOf, vendorsOf } from './vendors.ts'

export type Command = 'start' | 'serve' | 'work' | 'migrate' | 'openapi' | 'schema' | 'doctor' | 'health' | 'backup' | 'restore' | 'export'

/** The command that reads the environment, and the vendors whose variables it reads. */
type Reader = { command: Command; vendors: readonly Vendor[] }

/** Where we listen and what answers there. Port 0 takes any that is free. */
export type ListenerConfig = { readonly serves: 'everything' | 'public' | 'internal'; readonly host: string; readonly port: number }

/**
 * `directUrl`: past a pooler, which may then stand before `url` and work by transactions. `replicaUrl`: where lists and logs may be read,
 * through a pooler as well if there is one.
 */
export type DatabaseConfig =
  | { readonly kind: 'embedded'; readonly folder: string }
  | {
      readonly kind: 'external'
      readonly url: string
      readonly directUrl?: string | undefined
      readonly replicaUrl?: string | undefined
    }

export type Config = {
  readonly listeners: readonly ListenerConfig[]
  /** Public origin without a slash at its end; absent: the address where the public part listens. */
  readonly baseUrl: string | undefined
  /** The same where no public part listens in this process. */
  readonly defaultBaseUrl: string
  /** Where another process serves the internal part; a public listener passes on to it what browsers ask of that. */
  readonly internalUrl: string | undefined
  readonly database: DatabaseConfig
  readonly dataFolder: string
  readonly storageUrl: string
  /** 32 bytes each: the first writes, all read. Absent: made once and kept in `secretKeyFile`. */
  readonly secretKeys: readonly Buffer[] | undefined
  readonly secretKeyFile: string
  readonly serviceToken: string | undefined
  readonly catalogFolder: string
  readonly allowedPrivateAddresses: readonly Cidr[]
  readonly trustedProxies: readonly Cidr[]
  readonly requestsPerMinute: number
  readonly requestsInProgress: number
  readonly openGenerationsMax: number
  readonly unusedFilesMax: { readonly bytes: number; readonly files: number }
  readonly webhookFirstRetrySeconds: number
  /** What a worker takes. */
  readonly workQueues: readonly WorkQueue[]
  /** How long a worker that is told to end waits for the answers of vendors. */
  readonly drainSeconds: number
  readonly historyRetentionDays: number | undefined
  readonly vendors: VendorsConfig
  readonly vendorLoads: Readonly<Record<string, VendorLoad>>
  /** How prices in US dollars become credits. */
  readonly rates: { readonly creditsPerUsd: number; readonly markup: number }
  /** A second way to sign in. */
  readonly oidc: OidcConfig | undefined
  /** Where a process that only works answers those who watch it. */
  readonly monitoringAddress: { readonly host: string; readonly port: number } | undefined
  /** From when on a statement is written into the log. */
  readonly slowStatementMs: number
  /** Traces and metrics by OTLP. */
  readonly telemetry: TelemetryConfig | undefined
  readonly logLevel: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent'
}

const needsDatabaseUrl: readonly Command[] = ['serve', 'work']
const needsSecretKey: readonly Command[] = ['start', 'serve', 'work', 'doctor', 'backup', 'restore', 'export']

/**
 * The environment as one frozen value; nothing is read from or written to the disk. Empty variables count as unset, unknown ones are
 * ignored, relative folders start from the working directory. Several processes need one database and one key between them, so `serve`
 * and `work` ask for `DATABASE_URL`, and whoever has that for `SECRET_KEY`.
 * Throws {@link ConfigError}.
 * Contract: docs/contract.md#environment-variables.
 */
export function readConfig(env: Readonly<Record<string, string | undefined>>, { command, vendors }: Reader): Config {
  const { values, vendorValues } = readVariables(env, vendors)
  if (values.DATABASE_URL === undefined && needsDatabaseUrl.includes(command)) throw missing('DATABASE_URL', `\`${command}\` needs it`)
  if (values.DATABASE_URL !== undefined && values.SECRET_KEY === undefined && needsSecretKey.includes(command)) {
    throw missing('SECRET_KEY', 'it is needed with DATABASE_URL')
  }

  const listeners = listenersOf(values)
  refuseLoop(values, listeners)

  const dataFolder = values.DATA_DIR
  const storageUrl = values.STORAGE_URL ?? pathToFileURL(join(dataFolder, 'files')).href
  return deepFreeze({
    listeners,
    baseUrl: values.BASE_URL,
    defaultBaseUrl: listenerOrigin({ host: values.HOST, port: values.PORT }),
    internalUrl: values.INTERNAL_URL,
    database: databaseOf(values),
    dataFolder,
    storageUrl,
    secretKeys: values.SECRET_KEY,
    secretKeyFile: join(dataFolder, 'secret'),
    serviceToken: values.SERVICE_TOKEN,
    catalogFolder: values.CATALOG_PATH,
    allowedPrivateAddresses: values.ALLOWED_PRIVATE_ADDRESSES,
    trustedProxies: values.TRUSTED_PROXIES,
    requestsPerMinute: values.RATE_LIMIT_PER_MINUTE,
    requestsInProgress: values.CONCURRENT_REQUESTS_MAX,
    openGenerationsMax: values.OPEN_GENERATIONS_MAX,
    unusedFilesMax: { bytes: values.UNUSED_FILES_BYTES_MAX, files: values.UNUSED_FILES_MAX },
    webhookFirstRetrySeconds: values.WEBHOOK_FIRST_RETRY_SECONDS,
    workQueues: values.WORK_QUEUES,
    drainSeconds: values.DRAIN_SECONDS,
    historyRetentionDays: values.HISTORY_KEPT_DAYS,
    vendors: vendorsOf(vendorValues, vendors),
    vendorLoads: vendorLoadsOf(vendorValues, vendors),
    rates: { creditsPerUsd: values.CREDITS_PER_USD, markup: values.PRICE_MARKUP },
    oidc: oidcOf(values),
    monitoringAddress: values.METRICS_PORT === undefined ? undefined : { host: values.INTERNAL_HOST, port: values.METRICS_PORT },
    slowStatementMs: values.SLOW_STATEMENT_MS,
    telemetry: telemetryOf(values),
    logLevel: values.LOG_LEVEL,
  })
}

function databaseOf({ DATABASE_URL, DATABASE_DIRECT_URL, DATABASE_REPLICA_URL, DATA_DIR }: VariableValues): DatabaseConfig {
  if (DATABASE_URL !== undefined) {
    return { kind: 'external', url: DATABASE_URL, directUrl: DATABASE_DIRECT_URL, replicaUrl: DATABASE_REPLICA_URL }
  }
  if (DATABASE_DIRECT_URL !== undefined) throw missing('DATABASE_URL', 'DATABASE_DIRECT_URL is another way to the same database')
  if (DATABASE_REPLICA_URL !== undefined) throw missing('DATABASE_URL', 'DATABASE_REPLICA_URL is a copy of that database')
  return { kind: 'embedded', folder: join(DATA_DIR, 'postgres') }
}

/** A split deployment names its parts; PORT, which many hosts set by themselves, then means nothing. */
function listenersOf(values: VariableValues): ListenerConfig[] {
  const { HOST, INTERNAL_HOST, PORT, PUBLIC_PORT, INTERNAL_PORT } = values
  if (PUBLIC_PORT === undefined && INTERNAL_PORT === undefined) return [{ serves: 'everything', host: HOST, port: PORT }]
  if (PUBLIC_PORT === INTERNAL_PORT && PUBLIC_PORT !== 0) throw new ConfigError('INTERNAL_PORT takes another port than PUBLIC_PORT')
  const listeners: ListenerConfig[] = []
  if (PUBLIC_PORT !== undefined) listeners.push({ serves: 'public', host: HOST, port: PUBLIC_PORT })
  if (INTERNAL_PORT !== undefined) listeners.push({ serves: 'internal', host: INTERNAL_HOST, port: INTERNAL_PORT })
  return listeners
}

/** A public listener that passed on to itself would never come to an end; what goes round through others is found when it comes back. */
function refuseLoop({ INTERNAL_URL, BASE_URL }: VariableValues, listeners: ListenerConfig[]): void {
  if (INTERNAL_URL === undefined) return
  const isPublic = (listener: ListenerConfig) =>
    listener.serves === 'public' && (INTERNAL_URL === BASE_URL || leadsTo(INTERNAL_URL, listener))
  if (!listeners.some(isPublic)) return
  throw new ConfigError('INTERNAL_URL takes the address of an internal listener, and names the public one of this process')
}

function leadsTo(url: string, { host, port }: ListenerConfig): boolean {
  const named = new URL(url)
  if (Number(named.port || (named.protocol === 'https:' ? 443 : 80)) !== port) return false
  const hostname = named.hostname.replace(/^\[(.*)\]$/, '$1')
  const isHere = /^(localhost|127(\.\d+){3}|::1)$/
  return hostname === host || (isHere.test(hostname) && (isHere.test(host) || host === '0.0.0.0' || host === '::'))
}

/** The address of a listener as a URL, without a slash at its end. */
export function listenerOrigin({ host, port }: { host: string; port: number }): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

function missing(name: VariableName, reason: string): ConfigError {
  return new ConfigError(`${name} is not set, and ${reason}: it takes ${variables[name].takes}`)
}

/** Bytes and parsed addresses stay as they are: a view on bytes cannot be frozen. */
function deepFreeze(config: Config): Config {
  for (const value of Object.values(config)) if (typeof value === 'object' && value !== null) Object.freeze(value)
  for (const listener of config.listeners) Object.freeze(listener)
  return Object.freeze(config)
}
