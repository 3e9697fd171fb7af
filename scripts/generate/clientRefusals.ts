type RefusalRule = { http: number; message: string }

/**
 * Generates the error classes of the TypeScript client: one for each refusal, named after its code, as a subclass of the one for its status.
 * `kindOf`: the client's mapping of a status.
 */
export function clientRefusals(table: Record<string, RefusalRule>, kindOf: (status: number) => string): string {
  const rules = Object.entries(table).map(([code, { http, message }]) => ({ code, message, group: `${className(kindOf(http))}Error` }))
  const groups = [...new Set(rules.map(({ group }) => group))].toSorted()
  const classes = rules.map(
    ({ code, message, group }) =>
      `/** \`${code}\`: ${message} */\nexport class ${className(code)} extends ${group}<'${code}', DetailsOf<'${code}'>> {}\n`,
  )
  const imports = `import { ${groups.join(', ')} } from './errorKinds.ts'\nimport type { DetailsOf } from './refusalDetails.ts'\n`
  return [heading + imports, ...classes].join('\n')
}

const heading = `// biome-ignore-all format: written by a program, \`npm run generate:client\`, from the service's table of refusals.
`

function className(code: string): string {
  return code.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())
}
