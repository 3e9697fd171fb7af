import type { TypedDocument } from './clientTypes.ts'
import { docstring, exported, quoted, typeName } from './pythonNames.ts'

type RefusalRule = { http: number; message: string }

/** The base class of each code, by the kind of its status. The names avoid Python's built-in errors. */
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

/** Generates the module `_routes` of the Python client: method and path of each operation of an OpenAPI document. */
export function pythonRoutes(document: TypedDocument): string {
  const rows = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, { operationId }]) => `    ${quoted(operationId)}: (${quoted(method.toUpperCase())}, ${quoted(path)}),\n`,
    ),
  )
  return `${heading('Where each operation of the service is.', 'OpenAPI document')}\nROUTES = {\n${rows.join('')}}\n`
}

/**
 * Generates the module `refusals` of the Python client: an error class for each refusal, named after its code, as a subclass of the one for
 * its status. `kindOf`: the clients' mapping of a status.
 */
export function pythonRefusals(table: Record<string, RefusalRule>, kindOf: (status: number) => string): string {
  const rules = Object.entries(table).map(([code, { http, message }]) => {
    const base = baseOfKind[kindOf(http)]
    if (base === undefined) throw new Error(`no base class for ${code}`)
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
