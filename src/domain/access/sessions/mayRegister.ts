/** Public issuers: everybody can have an account. A verified address there proves no relation to the operator of this deployment. */
const publicIssuers = [
  /^https:\/\/accounts\.google\.com\/?$/,
  /^https:\/\/login\.microsoftonline\.com\/(common|consumers|organizations|9188040d-6c67-4c5b-b112-36a304b66dad)(\/|$)/,
  /^https:\/\/appleid\.apple\.com\/?$/,
  /^https:\/\/gitlab\.com\/?$/,
  /^https:\/\/(www\.)?(facebook|linkedin|slack|discord)\.com(\/|$)/,
  /^https:\/\/api\.login\.yahoo\.com\/?$/,
]

/** The issuer, and the domains whose addresses may register; `undefined` when the operator set none. */
export type Registration = { issuer: string; allowedDomains?: readonly string[] | undefined }

/**
 * Whether a first sign-in with a verified address may create an account. With allowed domains, only addresses of these domains; without
 * them, every address, but none of a public issuer. People with an account can always sign in.
 * Contract: docs/contract.md#sign-in-with-oidc.
 */
export function mayRegister({ issuer, allowedDomains }: Registration, email: string): boolean {
  if (allowedDomains === undefined) return !publicIssuers.some((form) => form.test(issuer))
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase()
  return allowedDomains.includes(domain)
}
