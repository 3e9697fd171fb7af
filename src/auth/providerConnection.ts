import { json } from 'node:stream/consumers'
import type { Settings } from '../domain/context.ts'
import { type AddressRules, checkUrl } from '../network/checkUrl.ts'
import { FetchFailure } from '../network/fetchFailure.ts'
import { guardedFetch } from '../network/guardedFetch.ts'

/** Requests to one OIDC provider. Both reject with one line that names the address and the fault. */
export type ProviderConnection = {
  /** Fetches JSON. A status outside 2xx is a fault. */
  fetchJson(address: string, request?: ProviderRequest): Promise<unknown>
  /** Checks an endpoint without a request. A name that does not resolve now is no fault. */
  requireAllowed(address: string): Promise<void>
}

type ProviderRequest = { method?: 'GET' | 'POST'; headers?: Record<string, string>; form?: URLSearchParams }

export type AddressSettings = Pick<Settings, 'allowedPrivateAddresses' | 'ownAddresses'>

/** Limit of each request, with its whole response. */
export const providerSeconds = 5
const answerBytesMax = 1_000_000

/**
 * The operator configured the issuer, so its origin may be private. Endpoints on other origins come from the discovery document, so they
 * are checked like links of callers. Redirects are not followed. Contract: docs/contract.md#oidc-variables.
 */
export function providerConnection(issuer: string, { allowedPrivateAddresses, ownAddresses }: AddressSettings): ProviderConnection {
  const rules: AddressRules = {
    allowedPrivate: allowedPrivateAddresses,
    own: ownAddresses,
    trustedOrigins: [new URL(issuer).origin],
    schemes: 'https',
    ports: 'any',
  }
  return {
    async fetchJson(url, { method = 'GET', headers = {}, form } = {}) {
      const type: Record<string, string> = form ? { 'content-type': 'application/x-www-form-urlencoded;charset=UTF-8' } : {}
      const request = {
        url,
        method,
        headers: { accept: 'application/json', ...type, ...headers },
        body: Buffer.from(form?.toString() ?? ''),
      }
      const limits = { redirectsMax: 0, deadlineSeconds: providerSeconds, bodyBytesMax: answerBytesMax, answers: 'success' } as const
      try {
        return await json((await guardedFetch({ ...rules, ...request, ...limits })).body)
      } catch (error) {
        throw error instanceof SyntaxError ? new Error(`${url} does not answer with JSON`) : described(url, error)
      }
    },
    async requireAllowed(url) {
      try {
        await checkUrl(url, { ...rules, deadlineSeconds: providerSeconds })
      } catch (error) {
        if (error instanceof FetchFailure && ['private_address', 'bad_url'].includes(error.kind)) throw described(url, error)
      }
    },
  }
}

function described(url: string, error: unknown): unknown {
  if (!(error instanceof FetchFailure)) return error
  const fault = error.kind === 'private_address' ? ' is private: allow it with ALLOWED_PRIVATE_ADDRESSES' : `: ${error.message}`
  return new Error(`${url}${fault}`, { cause: error })
}
