import { expect, test } from 'vitest'
import { readConfig } from '../../src/config/readConfig.ts'

const readStart = (env: Record<string, string>) => readConfig(env, { command: 'start', vendors: [] })
const refusal = (env: Record<string, string>) => {
  try {
    readStart(env)
  } catch (error) {
    return (error as Error).message
  }
  throw new Error('nothing was refused')
}

const oidc = {
  OIDC_ISSUER: 'https://id.example.com/realm',
  OIDC_CLIENT_ID: 'atelier',
  OIDC_CLIENT_SECRET: 's3cret',
  OIDC_NAME: 'Example ID',
}

test('OIDC needs all of its variables, or none', () => {
  expect(readStart({}).oidc).toBeUndefined()
  const { OIDC_ISSUER: issuer } = oidc
  expect(readStart(oidc).oidc).toEqual({ issuer, clientId: 'atelier', clientSecret: 's3cret', name: 'Example ID' })
  for (const name of Object.keys(oidc)) {
    expect(refusal({ ...oidc, [name]: '' })).toMatch(
      new RegExp(`^${name} is not set, but the other OIDC variables need it: it takes [^\\n]+$`),
    )
  }
})

test('allowed domains are read in lower case, and refused without an issuer', () => {
  expect(readStart({ ...oidc, OIDC_ALLOWED_DOMAINS: 'Example.com, mail.example.org' }).oidc?.allowedDomains).toEqual([
    'example.com',
    'mail.example.org',
  ])
  expect(refusal({ OIDC_ALLOWED_DOMAINS: 'example.com' })).toMatch(/^OIDC_ALLOWED_DOMAINS is set, but the other/)
})

test('the claim of groups is a name or a path, and needs the other variables', () => {
  for (const OIDC_GROUPS_CLAIM of ['groups', 'realm_access.roles', 'https://example.com/groups'])
    expect(readStart({ ...oidc, OIDC_GROUPS_CLAIM }).oidc?.groupsClaim).toBe(OIDC_GROUPS_CLAIM)
  expect(refusal({ OIDC_GROUPS_CLAIM: 'groups' })).toMatch(/^OIDC_GROUPS_CLAIM is set, but the other/)
})

test('an issuer without TLS is allowed only on this machine or at an allowed private address', () => {
  const issuerOf = (OIDC_ISSUER: string) => readStart({ ...oidc, OIDC_ISSUER, ALLOWED_PRIVATE_ADDRESSES: '10.0.0.0/8' }).oidc?.issuer
  for (const issuer of ['http://127.0.0.1:9000', 'http://localhost:9000/realm', 'http://[::1]:9000', 'http://10.1.2.3']) {
    expect(issuerOf(issuer)).toBe(issuer)
  }
  for (const OIDC_ISSUER of ['http://id.example.com', 'http://11.1.2.3', 'http://localhost.example.com']) {
    expect(refusal({ ...oidc, OIDC_ISSUER })).toMatch(/^OIDC_ISSUER takes [^\n]+$/)
  }
})
