import type { variables } from '../../src/config/variables.ts'
import { vendors } from '../../src/providers/vendors.ts'

const key = Buffer.alloc(32, 7).toString('base64')

/** Invalid values of our own variables. */
const ownBadValues: Record<keyof typeof variables, string[]> = {
  HOST: ['a b', 'http://x', 'x'.repeat(256)],
  INTERNAL_HOST: ['a b', 'http://x'],
  PORT: ['http', '-1', '65536', '80.5', '0x50', '1e3', '+80'],
  PUBLIC_PORT: ['public'],
  INTERNAL_PORT: ['99999'],
  BASE_URL: ['media.example.com', 'ftp://x', 'https://x/path', 'https://u:p@x', 'https://x/?a', 'https://x#a', 'https://'],
  INTERNAL_URL: ['10.0.0.7:8081', 'http://x/graphql'],
  DATABASE_URL: ['mysql://x/y', 'localhost', 'db.internal:5432/atelier'],
  DATABASE_DIRECT_URL: ['mysql://x/y', 'db.internal:5432/atelier'],
  DATABASE_REPLICA_URL: ['mysql://x/y', 'standby'],
  DATA_DIR: ['a\0b'],
  STORAGE_URL: ['files', 'file://host/path', 'file:files', 's3://', 'https://bucket'],
  SECRET_KEY: ['secret', Buffer.alloc(31).toString('base64'), `${key},`, `${key};${key}`, Buffer.alloc(32).toString('hex')],
  SERVICE_TOKEN: ['t'.repeat(31), `${'t'.repeat(40)} t`, 'ü'.repeat(32)],
  CATALOG_PATH: ['a\0b'],
  ALLOWED_PRIVATE_ADDRESSES: ['localhost', '10.0.0.0/33', '10.0.0/8', '10.0.0.0/8;127.0.0.0/8'],
  TRUSTED_PROXIES: ['proxy', '10.0.0.0/33', 'loopback'],
  RATE_LIMIT_PER_MINUTE: ['0', '-1', '1.5', 'many', '1000001', 'Infinity'],
  CONCURRENT_REQUESTS_MAX: ['0', '10001', ''.padStart(20, '9')],
  OPEN_GENERATIONS_MAX: ['0', '-1', '1000001', 'all'],
  UNUSED_FILES_BYTES_MAX: ['0', '10GB', '1000000000000001'],
  UNUSED_FILES_MAX: ['0', '-1', '1000000001'],
  WEBHOOK_AUTO_PAUSE_DAYS: ['-1', '29', '1.5', 'never'],
  WEBHOOK_FIRST_RETRY_SECONDS: ['0', '-1', '3601', '10s', 'NaN', '1e1'],
  DRAIN_SECONDS: ['-1', '1.5', '86401', '10m'],
  HISTORY_KEPT_DAYS: ['0', '30', '36501', '400d', '-400', '1e3'],
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
  OIDC_ALLOWED_DOMAINS: ['@example.com', 'example', 'a b.com', 'example.com,'],
  OIDC_GROUPS_CLAIM: ['two words', 'ü', 'x'.repeat(201)],
  OIDC_NAME: ['x'.repeat(41), 'a\u0007b'],
  SMTP_URL: ['mail.example.com', 'https://mail.example.com', 'smtp://', 'smtp://mail/path', 'smtp://mail?from=a'],
  MAIL_FROM: ['atelier', 'a b@example.com', 'a@b,c@d', 'Name <a@example.com>'],
  OTEL_EXPORTER_OTLP_ENDPOINT: ['collector:4318', 'grpc://collector'],
  OTEL_EXPORTER_OTLP_PROTOCOL: ['grpc', 'http/json'],
  OTEL_SERVICE_NAME: ['x'.repeat(256), 'a\u0007b'],
  OTEL_TRACES_SAMPLER: ['sometimes'],
  OTEL_TRACES_SAMPLER_ARG: ['2', '-1', '1.5', 'all'],
  OTEL_TRACES_EXPORTER: ['zipkin'],
  OTEL_METRICS_EXPORTER: ['prometheus'],
  OTEL_METRIC_EXPORT_INTERVAL: ['10', '1e5'],
  OTEL_SDK_DISABLED: ['yes'],
  METRICS_PORT: ['metrics', '65536'],
  SEMI_SPACE_MB: ['0', '257', 'large'],
  DATABASE_POOL_MAX: ['3', '201', 'many'],
  SLOW_STATEMENT_MS: ['0', '60001', 'slow'],
  BACKUP_TOOL: ['none', 'Other', 'toString'],
  WORK_QUEUES: ['images', 'files,', 'files;deliveries', ','],
  LOG_FORMAT: ['JSON', 'text', 'toString'],
  LOG_LEVEL: ['INFO', 'verbose', '__proto__'],
}

/** Invalid values of the variables of every vendor. */
const vendorBadValues = vendors.flatMap(({ variables: { key: vendorKey, url, atOnce, perMinute } }): [string, string[]][] => [
  [vendorKey, ['a key', 'ü']],
  [url, ['api.openai.com', '127.0.0.1:8188', 'x', 'file:///x', 'ftp://x', 'https://u:p@x', 'https://x/v1?a', 'https://x/v1#a']],
  [atOnce, ['0', '1.5']],
  [perMinute, ['-1', '100001']],
])

/** Invalid values of each variable. */
export const badValues: Record<string, string[]> = { ...ownBadValues, ...Object.fromEntries(vendorBadValues) }
