import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { WorkQueue } from '../contract/workQueues.ts'
import type { Cidr } from '../network/addresses.ts'
import type { Vendor } from '../providers/connector/vendor.ts'
import { ConfigError } from './configError.ts'
import { type ListenerConfig, listenerOrigin, listenersOf, refuseLoop } from './listeners.ts'
import { type MailConfig, mailOf } from './mail.ts'
import { type OidcConfig, oidcOf } from './oidc.ts'
import { readVariables } from './readVariables.ts'
import { type TelemetryConfig, telemetryOf } from './telemetry.ts'
import { type VariableName, type VariableValues, variables } from './variables.ts'
import { type VendorLoad, type VendorsConfig, vendorLoadsOf, vendorsOf } from './vendors.ts'

type DatabaseCommand = 'doctor' | 'backup' | 'restore' | 'export'
export type Command = 'start' | 'serve' | 'work' | 'demo' | 'migrate' | 'openapi' | 'schema' | 'health' | DatabaseCommand

/** The command that reads the environment, the vendors with their variables, and whether `--embedded` was given. */
type Reader = { command: Command; vendors: readonly Vendor[]; embedded?: boolean }

/**
 * `url` may be a pooler in transaction mode if `directUrl` bypasses it. `replicaUrl` is a replica for lists and logs, with or without a
 * pooler.
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
  /** Public origin without a trailing slash. Default: the address of the public listener. */
  readonly baseUrl: string | undefined
  /** The public origin when this process has no public listener. */
  readonly defaultBaseUrl: string
  /** The internal listener of another process. The public listener proxies internal pages to it. */
  readonly internalUrl: string | undefined
  readonly database: DatabaseConfig
  readonly dataFolder: string
  readonly storageUrl: string
  /** Keys of 32 bytes: the first encrypts, all decrypt. If absent, one key is created and stored in `secretKeyFile`. */
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
  /** A webhook whose every attempt failed for this many days is paused; 0: never. */
  readonly webhookAutoPauseDays: number
  /** The queues of a worker. */
  readonly workQueues: readonly WorkQueue[]
  /** How long a stopping worker waits for the answers of vendors. */
  readonly drainSeconds: number
  readonly historyRetentionDays: number | undefined
  readonly vendors: VendorsConfig
  readonly vendorLoads: Readonly<Record<string, VendorLoad>>
  /** Conversion of prices in US dollars to credits. */
  readonly rates: { readonly creditsPerUsd: number; readonly markup: number }
  readonly mail: MailConfig | undefined
  /** Sign-in with OpenID Connect. */
  readonly oidc: OidcConfig | undefined
  /** The monitoring listener of a process that only runs jobs. */
  readonly monitoringAddress: { readonly host: string; readonly port: number } | undefined
  /** Connections of the pool of a process. Default: by its roles. */
  readonly poolMax: number | undefined
  /** Statements that take longer are logged. */
  readonly slowStatementMs: number
  /** `other`: another tool makes the backups, so `doctor` does not expect one of `atelier backup`. */
  readonly backupTool: 'atelier' | 'other'
  /** Traces and metrics by OTLP. */
  readonly telemetry: TelemetryConfig | undefined
  /** `auto`: `pretty` on a terminal, else `json`. */
  readonly logFormat: 'auto' | 'json' | 'pretty'
  readonly logLevel: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent'
}

const needsDatabaseUrl: readonly Command[] = ['serve', 'work']
/** These commands must not create a database: on an empty one they would succeed without doing anything. */
const needsNamedDatabase: readonly Command[] = ['doctor', 'backup', 'restore', 'export']
const needsSecretKey: readonly Command[] = ['start', 'serve', 'work', 'demo', 'doctor', 'backup', 'restore', 'export']

/**
 * Parses the environment into a frozen value. It reads only the files of secrets (`<name>_FILE`) and of TLS certificates from the disk.
 * Empty variables count as unset, unknown ones are ignored, and relative folders are resolved from the working directory. Several processes
 * must share a database and a key, so `serve` and `work` require `DATABASE_URL`, and `DATABASE_URL` requires `SECRET_KEY`. `doctor`, `backup`,
 * `restore` and `export` require `DATABASE_URL` or `--embedded`.
 * Throws {@link ConfigError}.
 * Contract: docs/contract.md#environment-variables.
 */
export function readConfig(env: Readonly<Record<string, string | undefined>>, { command, vendors, embedded = false }: Reader): Config {
  const { values, vendorValues } = readVariables(env, vendors)
  if (values.DATABASE_URL === undefined && needsDatabaseUrl.includes(command)) throw missing('DATABASE_URL', `\`${command}\` requires it`)
  // A set DATA_DIR selects the embedded database, like --embedded.
  requireNamedDatabase(values, command, { option: embedded, folder: Boolean(env['DATA_DIR']) })
  if (values.DATABASE_URL !== undefined && values.SECRET_KEY === undefined && needsSecretKey.includes(command)) {
    throw missing('SECRET_KEY', 'DATABASE_URL requires it')
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
    webhookAutoPauseDays: values.WEBHOOK_AUTO_PAUSE_DAYS,
    workQueues: values.WORK_QUEUES,
    drainSeconds: values.DRAIN_SECONDS,
    historyRetentionDays: values.HISTORY_KEPT_DAYS,
    vendors: vendorsOf(vendorValues, vendors),
    vendorLoads: vendorLoadsOf(vendorValues, vendors),
    rates: { creditsPerUsd: values.CREDITS_PER_USD, markup: values.PRICE_MARKUP },
    mail: mailOf(values),
    oidc: oidcOf(values),
    monitoringAddress: values.METRICS_PORT === undefined ? undefined : { host: values.INTERNAL_HOST, port: values.METRICS_PORT },
    poolMax: values.DATABASE_POOL_MAX,
    slowStatementMs: values.SLOW_STATEMENT_MS,
    backupTool: values.BACKUP_TOOL,
    telemetry: telemetryOf(values),
    logFormat: values.LOG_FORMAT,
    logLevel: values.LOG_LEVEL,
  })
}

function requireNamedDatabase({ DATABASE_URL }: VariableValues, command: Command, named: { option: boolean; folder: boolean }): void {
  if (named.option && DATABASE_URL !== undefined) throw new ConfigError('DATABASE_URL must be unset with --embedded')
  if (named.option || named.folder || DATABASE_URL !== undefined || !needsNamedDatabase.includes(command)) return
  throw missing('DATABASE_URL', `\`${command}\` requires it, or --embedded for the database in DATA_DIR`)
}

function databaseOf({ DATABASE_URL, DATABASE_DIRECT_URL, DATABASE_REPLICA_URL, DATA_DIR }: VariableValues): DatabaseConfig {
  if (DATABASE_URL !== undefined) {
    return { kind: 'external', url: DATABASE_URL, directUrl: DATABASE_DIRECT_URL, replicaUrl: DATABASE_REPLICA_URL }
  }
  if (DATABASE_DIRECT_URL !== undefined) throw missing('DATABASE_URL', 'DATABASE_DIRECT_URL requires it')
  if (DATABASE_REPLICA_URL !== undefined) throw missing('DATABASE_URL', 'DATABASE_REPLICA_URL requires it')
  return { kind: 'embedded', folder: join(DATA_DIR, 'postgres') }
}

function missing(name: VariableName, reason: string): ConfigError {
  return new ConfigError(`${name} is not set, but ${reason}: it takes ${variables[name].takes}`)
}

/** Does not freeze buffers and parsed addresses: a typed array cannot be frozen. */
function deepFreeze(config: Config): Config {
  for (const value of Object.values(config)) if (typeof value === 'object' && value !== null) Object.freeze(value)
  for (const listener of config.listeners) Object.freeze(listener)
  return Object.freeze(config)
}
