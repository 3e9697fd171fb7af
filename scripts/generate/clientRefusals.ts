import type { ErrorClass } from './errorClasses.ts'

/** Generates the error classes of the TypeScript client: one for each refusal, as a subclass of the one for its kind. */
export function clientRefusals(classes: readonly ErrorClass[]): string {
  const bases = [...new Set(classes.map(({ base }) => base))].toSorted()
  const texts = classes.map(
    ({ code, name, base, message }) =>
      `/** \`${code}\`: ${message} */\nexport class ${name} extends ${base}<'${code}', DetailsOf<'${code}'>> {}\n`,
  )
  const renamed = classes.filter(({ name, formerName }) => name !== formerName).toSorted((one, other) => (one.name < other.name ? -1 : 1))
  const aliases = renamed.map(({ name, formerName }) => `  ${name} as ${formerName},\n`)
  const imports = `import { ${bases.join(', ')} } from './errorKinds.ts'\nimport type { DetailsOf } from './refusalDetails.ts'\n`
  return [heading + imports, ...texts, `// The names before 1.0.0.\nexport {\n${aliases.join('')}}\n`].join('\n')
}

const heading = `// biome-ignore-all format: written by a program, \`npm run generate:client\`, from the service's table of refusals.
`
