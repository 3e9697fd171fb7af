type Words<Code extends string> = Code extends `${infer Word}_${infer More}` ? `${Capitalize<Word>}${Words<More>}` : Capitalize<Code>

/** The name of the error class of a code: `insufficient_credits` is `InsufficientCreditsError`. `NotFoundError` is the name of a kind. */
export type ErrorName<Code extends string> = Code extends 'not_found'
  ? 'AddressNotFoundError'
  : Code extends `${string}_error`
    ? Words<Code>
    : `${Words<Code>}Error`

/** The value of {@link ErrorName}. */
export function errorName(code: string): string {
  if (code === 'not_found') return 'AddressNotFoundError'
  return `${formerErrorName(code).replace(/Error$/, '')}Error`
}

/** The name without the suffix, as before 1.0.0. */
export function formerErrorName(code: string): string {
  return code.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())
}
