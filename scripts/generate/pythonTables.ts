import type { TypedDocument } from './clientTypes.ts'
import type { ErrorClass } from './errorClasses.ts'
import { docstring, exported, quoted } from './pythonNames.ts'

/** Generates the module `_routes` of the Python client: method and path of each operation of an OpenAPI document. */
export function pythonRoutes(document: TypedDocument): string {
  const rows = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, { operationId }]) => `    ${quoted(operationId)}: (${quoted(method.toUpperCase())}, ${quoted(path)}),\n`,
    ),
  )
  return `${heading('Where each operation of the service is.', 'OpenAPI document')}\nROUTES = {\n${rows.join('')}}\n`
}

/** Generates the module `refusals` of the Python client: an error class for each refusal, as a subclass of the one for its kind. */
export function pythonRefusals(all: readonly ErrorClass[]): string {
  const imported = [...new Set(all.map(({ base }) => base)), 'AtelierError'].toSorted()
  const renamed = all.filter(({ name, formerName }) => name !== formerName)
  const classes = all.map(({ code, name, base, message }) => `class ${name}(${base}):\n${docstring(`\`${code}\`: ${message}`, '    ')}\n\n`)
  return [
    heading('The refusals as errors, by their codes.', 'table of refusals'),
    `\nfrom .errors import (\n${imported.map((name) => `    ${name},\n`).join('')})\n\n`,
    exported([...all, ...renamed.map(({ formerName: name }) => ({ name }))].map(({ name }) => name).toSorted()),
    ...classes,
    `# The names before 1.0.0.\n${renamed.map(({ name, formerName }) => `${formerName} = ${name}\n`).join('')}\n\n`,
    `BY_CODE: dict[str, type[AtelierError]] = {\n${all.map(({ code, name }) => `    ${quoted(code)}: ${name},\n`).join('')}}\n`,
  ].join('')
}

function heading(words: string, source: string): string {
  return `"""${words}

Written by a program, \`npm run generate:python\`, from the ${source} of the service.
"""
`
}
