import type { TypedDocument } from './clientTypes.ts'
import { docstring, exported, quoted, typeName } from './pythonNames.ts'

type RefusalRule = { http: number; message: string }

/** The base of the class of each code, by the kind of its status. Python itself has errors of some of the plainer names. */
const baseOfKind: Record<string, string> = {
  request: 'RequestError',
  key: 'ApiKeyError',
  credits: 'CreditsError',
  permission: 'NotPermittedError',
  not_found: 'NotFoundError',
  conflict: 'ConflictError',
  rate: 'RateError',
  service: 'ServiceError',
}

/** The module `_routes` of the Python client: where each operation of an OpenAPI document is. */
export function pythonRoutes(document: TypedDocument): string {
  const rows = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, { operationId }]) => `    ${quoted(operationId)}: (${quoted(method.toUpperCase())}, ${quoted(path)}),\n`,
    ),
  )
  return `${heading('Where each operation of the service is.', 'OpenAPI document')}\nROUTES = {\n${rows.join('')}}\n`
}

/**
 * The module `refusals` of the Python client: a class of errors for each refusal, named after its code, below the one for its status.
 * `kindOf` is the clients' reading of a status.
 */
export function pythonRefusals(table: Record<string, RefusalRule>, kindOf: (status: number) => string): string {
  const rules = Object.entries(table).map(([code, { http, message }]) => {
    const base = baseOfKind[kindOf(http)]
    if (base === undefined) throw new Error(`no class is for ${code}`)
    return { code, name: typeName(code), base, message }
  })
  const imported = [...new Set(rules.map(({ base }) => base)), 'AtelierError'].toSorted()
  const classes = rules.map(
    ({ code, name, base, message }) => `class ${name}(${base}):\n${docstring(`\`${code}\`: ${message}`, '    ')}\n\n`,
  )
  return [
    heading('The refusals as errors, by their codes.', 'table of refusals'),
    `\nfrom .errors import (\n${imported.map((name) => `    ${name},\n`).join('')})\n\n`,
    exported(rules.map(({ name }) => name)),
    ...classes,
    `BY_CODE: dict[str, type[AtelierError]] = {\n${rules.map(({ code, name }) => `    ${quoted(code)}: ${name},\n`).join('')}}\n`,
  ].join('')
}

function heading(words: string, source: string): string {
  return `"""${words}

Written by a program, \`npm run generate:python\`, from the ${source} of the service.
"""
`
}
