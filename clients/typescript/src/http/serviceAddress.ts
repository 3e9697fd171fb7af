/** The address of a service that runs on this machine. */
const defaultAddress = 'http://127.0.0.1:8080'

export type Environment = Readonly<Record<string, string | undefined>>

export type ServiceAddress = {
  /** The URL of the API, with its version and without a slash at its end. */
  baseUrl: string
  /** For messages: the address and where it is from. */
  where: string
}

/**
 * The address of the API: as given, from ATELIER_URL, or that of this machine. Takes the address of the service, with or without `/api/v1`.
 * Throws a TypeError for anything else.
 */
export function serviceAddress(given: string | URL | undefined, environment: Environment): ServiceAddress {
  const variable = environment['ATELIER_URL']?.trim()
  const text = String(given ?? '') || variable || defaultAddress
  const name = given !== undefined && String(given) !== '' ? 'baseUrl' : 'ATELIER_URL'
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isValid = url !== undefined && /^https?:$/.test(url.protocol) && url.search + url.hash + url.username + url.password === ''
  if (!isValid) throw new TypeError(`${name} takes an http or https address such as ${defaultAddress}, with or without /api/v1.`)
  const path = url.pathname.replace(/\/+$/, '')
  const baseUrl = url.origin + (/\/v\d+$/.test(path) ? path : `${path}/api/v1`)
  return { baseUrl, where: ` at ${baseUrl}${originOf(name, variable)}` }
}

function originOf(name: string, variable: string | undefined): string {
  if (name === 'baseUrl') return ''
  return variable ? ', the address in ATELIER_URL' : ', the default address because ATELIER_URL is not set'
}
