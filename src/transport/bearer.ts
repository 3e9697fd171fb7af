/**
 * What an `Authorization` header presents as its bearer; `undefined` for no header, another scheme, or a scheme without a value.
 * Spec: Authentication, rules 1 and 5.
 */
export function bearerOf(authorization: string | undefined): string | undefined {
  return authorization?.match(/^bearer +(\S+) *$/i)?.[1]
}
