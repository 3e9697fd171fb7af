/** The base class of each kind of error, in both clients. The names avoid built-in errors of Python and names of JavaScript. */
const errorBases: Record<string, string> = {
  request: 'RequestError',
  key: 'ApiKeyError',
  credits: 'CreditsError',
  permission: 'NotPermittedError',
  not_found: 'NotFoundError',
  conflict: 'ConflictError',
  rate: 'RateError',
  service: 'ServiceError',
}

type RefusalRule = { http: number; message: string }

/** A refusal as an error class of the clients, and its name before 1.0.0, which stays as an alias. */
export type ErrorClass = { code: string; name: string; formerName: string; base: string; message: string }

/** The error classes of all refusals, named after their codes. */
export function errorClasses(table: Record<string, RefusalRule>, { kindOf, errorName, formerErrorName }: ErrorRules): ErrorClass[] {
  return Object.entries(table).map(([code, { http, message }]) => {
    const base = errorBases[kindOf(http, code)]
    if (base === undefined) throw new Error(`no base class for ${code}`)
    return { code, name: errorName(code), formerName: formerErrorName(code), base, message }
  })
}

/** The rules of the TypeScript client. */
export type ErrorRules = {
  kindOf(status: number, code: string): string
  errorName(code: string): string
  formerErrorName(code: string): string
}
