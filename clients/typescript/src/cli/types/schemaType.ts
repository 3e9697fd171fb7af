type Schema = Readonly<Record<string, unknown>>

/** The TypeScript type of the values that a JSON Schema accepts; `unknown` for a keyword without a type. */
export function schemaType(schema: Schema, indent: string): string {
  const choices = [schema['anyOf'], schema['oneOf']].flatMap((list) => (Array.isArray(list) ? (list as Schema[]) : []))
  if (choices.length > 0) return union(choices.map((choice) => schemaType(choice, indent)))
  if ('const' in schema) return literal(schema['const'])
  if (Array.isArray(schema['enum'])) return union(schema['enum'].map(literal))
  const types = [schema['type'] ?? []].flat()
  return types.length === 0 ? 'unknown' : union(types.map((type) => typeNamed(type, schema, indent)))
}

function typeNamed(type: unknown, schema: Schema, indent: string): string {
  if (type === 'integer' || type === 'number') return 'number'
  if (type === 'string' || type === 'boolean' || type === 'null') return type
  if (type === 'array') return `readonly (${schemaType((schema['items'] ?? {}) as Schema, indent)})[]`
  return type === 'object' ? objectType(schema, indent) : 'unknown'
}

/** The type of an object, one property per line, with its description and its limits. */
export function objectType(schema: Schema, indent: string): string {
  const properties = Object.entries((schema['properties'] ?? {}) as Record<string, Schema>)
  const required = new Set(Array.isArray(schema['required']) ? schema['required'] : [])
  if (properties.length === 0) return schema['additionalProperties'] === false ? 'Record<string, never>' : 'Record<string, unknown>'
  const deeper = `${indent}  `
  const lines = properties.map(
    ([name, property]) =>
      `${comment(facts(property), deeper)}${deeper}${propertyName(name)}${required.has(name) ? '' : '?'}: ${schemaType(property, deeper)}\n`,
  )
  return `{\n${lines.join('')}${indent}}`
}

function facts(schema: Schema): string {
  const { description, minimum, maximum, maxLength } = schema
  return [
    typeof description === 'string' ? description : '',
    typeof minimum === 'number' ? `Minimum: ${minimum}.` : '',
    typeof maximum === 'number' ? `Maximum: ${maximum}.` : '',
    typeof maxLength === 'number' ? `Maximum length: ${maxLength}.` : '',
    'default' in schema ? `Default: ${JSON.stringify(schema['default'])}.` : '',
  ]
    .filter((fact) => fact !== '')
    .join(' ')
}

/** A documentation comment, which the text cannot end. */
export function comment(text: string, indent: string): string {
  const line = text.replaceAll('*/', '*\\/').replaceAll(/\s+/g, ' ').trim()
  return line === '' ? '' : `${indent}/** ${line} */\n`
}

export function propertyName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : literal(name)
}

export function union(types: readonly string[]): string {
  return types.length === 0 ? 'never' : [...new Set(types)].join(' | ')
}

/** A value as a literal type. Line separators would end a line of a program. */
export function literal(value: unknown): string {
  if (typeof value === 'object' && value !== null) return 'unknown'
  return JSON.stringify(value)?.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029') ?? 'unknown'
}
