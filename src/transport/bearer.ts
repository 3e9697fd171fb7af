import { Refusal } from '../contract/refusals.ts'

/**
 * The key that an `Authorization` header presents. Refusals: unauthorized for none, another scheme, or a scheme without a value.
 * Spec: Authentication, rules 1 and 5.
 */
export function bearerToken(authorization: string | undefined): string {
  const value = authorization?.match(/^bearer +(\S+) *$/i)?.[1]
  if (value === undefined) throw new Refusal('unauthorized')
  return value
}
