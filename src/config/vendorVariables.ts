import { z } from 'zod'
import type { Vendor } from '../providers/connector/vendor.ts'
import { type Variable, wholeNumber } from './variables.ts'

/** The base URL of an API, without a trailing slash. */
const apiUrl = z.string().transform((text, context) => {
  const url = URL.parse(text)
  if (url !== null && /^https?:$/.test(url.protocol) && !/[@?#\s]/.test(text)) return url.href.replace(/\/+$/, '')
  context.addIssue('not an address')
  return z.NEVER
})
const address = { takes: 'an http or https address, such as https://gateway.example.com/v1', read: apiUrl } satisfies Variable
const key = { takes: 'the key that the vendor gave you', read: z.string().regex(/^[\x21-\x7e]{1,4096}$/), secret: true } satisfies Variable
const load = { takes: 'a whole number from 1 to 100000', read: wholeNumber(100_000) } satisfies Variable

/**
 * Returns the variables of `vendors` by their names: first key and address of each vendor, then the limits.
 * Contract: docs/contract.md#environment-variables.
 */
export function vendorVariables(vendors: readonly Vendor[]): Record<string, Variable> {
  return Object.fromEntries([...vendors.flatMap(accessOf), ...vendors.flatMap(limitsOf)])
}

/** The variable that enables a vendor: its address for self-hosted servers, else its key. */
export function enablingVariable({ variables }: Pick<Vendor, 'variables'>): string {
  return variables.defaultUrl === undefined ? variables.url : variables.key
}

/** The enabling variable comes first, so that messages list it first. */
function accessOf({ variables }: Vendor): [string, Variable][] {
  const { defaultUrl } = variables
  if (defaultUrl === undefined)
    return [
      [variables.url, address],
      [variables.key, key],
    ]
  return [
    [variables.key, key],
    [variables.url, { ...address, otherwise: defaultUrl }],
  ]
}

function limitsOf({ variables: { atOnce, defaultAtOnce, perMinute } }: Vendor): [string, Variable][] {
  return [
    [atOnce, defaultAtOnce === undefined ? load : { ...load, otherwise: defaultAtOnce }],
    [perMinute, load],
  ]
}
