import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { z } from 'zod'

export const databaseUrlWords = 'an address such as postgresql://user:password@host:5432/name'

/** As libpq names them; `no-verify` is the driver's name for `require` of libpq. */
const sslModes = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify']
const fileOptions = ['sslrootcert', 'sslcert', 'sslkey']

/**
 * Parses the address of a PostgreSQL. TLS options are checked here, because the driver would throw on the first connection. `prefer` and
 * `require` become `verify-full`, which is how the driver treats them. `verify-ca` verifies the certificate but not the host name, as in
 * libpq, if `sslrootcert` names the CA.
 */
export const databaseUrl = z.string().transform((text, context) => {
  const url = URL.parse(text)
  if (url === null || !/^postgres(ql)?:$/.test(url.protocol)) {
    context.addIssue('not an address of PostgreSQL')
    return z.NEVER
  }
  const fault = faultOfTls(url)
  if (fault === undefined) return withDriverMode(url, text)
  context.addIssue({ code: 'custom', message: fault, params: { isExplained: true } })
  return z.NEVER
})

function faultOfTls({ searchParams, hostname }: URL): string | undefined {
  const mode = searchParams.get('sslmode')
  if (mode !== null && !sslModes.includes(mode)) return `takes one of these values of sslmode: ${sslModes.join(', ')}`
  for (const option of fileOptions) {
    const path = searchParams.get(option)
    const code = path === null ? undefined : readFailure(path)
    if (code !== undefined) return `names a file in ${option} that cannot be read (${code})`
  }
  if (searchParams.has('sslcert') !== searchParams.has('sslkey')) return 'takes sslcert and sslkey together'
  // For an IP address, Node would compare the certificate with the name localhost.
  const host = searchParams.get('host') ?? hostname.replace(/^\[(.+)\]$/, '$1')
  if (checksName(searchParams) && isIP(host) !== 0)
    return 'takes a host name when TLS verifies it: use the name in the certificate, or sslmode=verify-ca'
  return undefined
}

function checksName(options: URLSearchParams): boolean {
  const mode = options.get('sslmode')
  if (mode === null) return fileOptions.some((option) => options.has(option))
  if (mode === 'disable' || mode === 'no-verify') return false
  if (options.get('uselibpqcompat') === 'true') return mode === 'verify-full'
  return mode !== 'verify-ca' || !options.has('sslrootcert')
}

function withDriverMode(url: URL, text: string): string {
  const options = url.searchParams
  const mode = options.get('sslmode') ?? ''
  if (options.get('uselibpqcompat') === 'true' || !['prefer', 'require', 'verify-ca'].includes(mode)) return text
  // The driver logs a warning for its deprecated names at each start.
  const replacement = mode === 'verify-ca' && options.has('sslrootcert') ? 'sslmode=verify-ca&uselibpqcompat=true' : 'sslmode=verify-full'
  return text.replace(/(?<=[?&])sslmode=[^&#]*/, replacement)
}

function readFailure(path: string): string | undefined {
  try {
    readFileSync(path)
    return undefined
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? 'unknown'
  }
}
