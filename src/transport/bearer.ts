/**
 * What an `Authorization` header presents as its bearer; `undefined` for no header, another scheme, or a scheme without a value.
 * Contract: docs/contract.md#api-keys.
 */
export function bearerOf(authorization: string | undefined): string | undefined {
  return authorization?.match(/^bearer +(\S+) *$/i)?.[1]
}
