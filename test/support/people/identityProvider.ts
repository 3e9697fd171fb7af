import { createHash, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'

type Claims = Record<string, unknown>

export type IdentityProvider = {
  /** The values of the OIDC variables. */
  settings: { issuer: string; clientId: string; clientSecret: string; name: string }
  /** Claims of the next sign-in, in addition to `sub`, nonce and so on; undefined removes a claim. */
  person: Claims
  /** Signs in as {@link person} at the authorization URL; returns the redirect URL. */
  authorize(address: string): Promise<string>
  /** Refuses connections until it is restarted. */
  down(): Promise<void>
  back(): Promise<void>
  /** Replaces fields of the discovery document. */
  endpoints: Record<string, string | string[]>
  /** Signs with an unpublished key. */
  lie(lies: boolean): void
  close(): Promise<void>
}

/** An OpenID Connect provider on loopback: discovery, single-use codes with PKCE, signed ID tokens. */
export async function anIdentityProvider({ now }: { now(): Date }): Promise<IdentityProvider> {
  const { privateKey, publicKey } = await generateKeyPair('ES256')
  const other = await generateKeyPair('ES256')
  const keys = { keys: [{ ...(await exportJWK(publicKey)), kid: 'first', alg: 'ES256', use: 'sig' }] }
  const codes = new Map<string, { challenge: string; nonce: string; redirectUri: string; claims: Claims }>()
  const settings = { issuer: '', clientId: 'atelier client', clientSecret: 'a secret: of its own', name: 'Example ID' }
  let lying = false
  let server: Server
  let port = 0

  const discovery = () => ({
    issuer: settings.issuer,
    authorization_endpoint: `${settings.issuer}/authorize`,
    token_endpoint: `${settings.issuer}/token`,
    jwks_uri: `${settings.issuer}/keys`,
    ...provider.endpoints,
  })

  async function token(request: IncomingMessage): Promise<[number, object]> {
    const form = new URLSearchParams(await textOf(request))
    const code = codes.get(form.get('code') ?? '')
    codes.delete(form.get('code') ?? '')
    const basic = `${encodeURIComponent(settings.clientId).replaceAll('%20', '+')}:${encodeURIComponent(settings.clientSecret).replaceAll('%20', '+')}`
    const isClient = request.headers.authorization === `Basic ${Buffer.from(basic).toString('base64')}`
    const isSame =
      code?.challenge ===
      createHash('sha256')
        .update(form.get('code_verifier') ?? '')
        .digest('base64url')
    if (!code || !isClient || !isSame || code.redirectUri !== form.get('redirect_uri')) return [400, { error: 'invalid_grant' }]
    const iat = Math.floor(now().getTime() / 1000)
    const claims = { iss: settings.issuer, aud: settings.clientId, iat, exp: iat + 300, nonce: code.nonce, ...code.claims }
    const signed = new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid: 'first' })
    return [200, { token_type: 'Bearer', access_token: randomUUID(), id_token: await signed.sign(lying ? other.privateKey : privateKey) }]
  }

  const listen = async () => {
    server = createServer((request, response) => {
      const path = request.url ?? ''
      const answering = path === '/token' ? token(request) : Promise.resolve<[number, object]>([200, path === '/keys' ? keys : discovery()])
      void answering.then(([status, body]) => {
        response.writeHead(status, { 'content-type': 'application/json', connection: 'close' }).end(JSON.stringify(body))
      })
    })
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
    port = (server.address() as AddressInfo).port
    settings.issuer = `http://127.0.0.1:${port}`
  }
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()))
  await listen()
  const provider: IdentityProvider = {
    settings,
    person: {},
    endpoints: {},
    async authorize(address) {
      const asked = new URL(address).searchParams
      const scope = `openid email profile${provider.endpoints['scopes_supported'] ? ' groups' : ''}`
      const wanted = { client_id: settings.clientId, response_type: 'code', code_challenge_method: 'S256', scope }
      for (const [name, value] of Object.entries(wanted)) if (asked.get(name) !== value) throw new Error(`${name} is ${asked.get(name)}`)
      const text = (name: string) => asked.get(name) ?? ''
      const code = randomUUID()
      const redirectUri = text('redirect_uri')
      codes.set(code, { challenge: text('code_challenge'), nonce: text('nonce'), redirectUri, claims: { ...provider.person } })
      return `${redirectUri}?${new URLSearchParams({ code, state: text('state'), iss: settings.issuer }).toString()}`
    },
    down: close,
    back: listen,
    lie: (lies) => {
      lying = lies
    },
    close,
  }
  return provider
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  return text
}
