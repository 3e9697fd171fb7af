export type Schema = boolean | SchemaObject
export type SchemaObject = {
  $ref?: string
  type?: string | string[]
  format?: string
  description?: string
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: Schema
}
type Parameter = { name: string; in: string; required?: boolean; description?: string; schema: Schema }
type Reference = { $ref: string }
type Content = Record<string, { schema: Schema }>
type Operation = {
  operationId: string
  summary: string
  parameters?: (Parameter | Reference)[]
  requestBody?: { required?: boolean; content: Content }
  responses: Record<string, { content?: Content }>
}

/** The parts of an OpenAPI 3.1 document that types are generated from. */
export type TypedDocument = {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema>; parameters?: Record<string, Parameter> }
}

/**
 * Generates the TypeScript types of an OpenAPI document: one for each schema, with its name and description, and a table of the operations.
 * Throws for a schema that it cannot express exactly, so that no type is silently wrong.
 */
export function clientTypes(document: TypedDocument): string {
  const schemas = Object.entries(document.components.schemas).map(
    ([name, schema]) => `${comment(schema, '')}export type ${name} = ${typeOf(schema, '')}\n`,
  )
  const found = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  )
  const types = found.map(({ operation }) => operationType(operation, parametersOf(operation, document)))
  const routes = found.map(({ path, method, operation }) => `  ${operation.operationId}: { method: '${method}', path: '${path}' },\n`)
  return [
    heading,
    ...schemas,
    `/** What each operation takes and answers. */\nexport type Operations = {\n${types.join('')}}\n`,
    `/** Where each operation is. */\nexport const routes = {\n${routes.join('')}} as const satisfies Record<keyof Operations, { method: string; path: string }>\n`,
  ].join('\n')
}

const heading = `/* oxlint-disable max-lines */
// biome-ignore-all format: written by a program, \`npm run generate:client\`, from the OpenAPI document of the service.
`

function parametersOf({ parameters = [] }: Operation, { components }: TypedDocument): Parameter[] {
  return parameters.map((each) => {
    if (!('$ref' in each)) return each
    const found = components.parameters?.[each.$ref.slice('#/components/parameters/'.length)]
    if (!found) throw new Error(`no parameter at ${each.$ref}`)
    return found
  })
}

function operationType({ operationId, summary, requestBody, responses }: Operation, parameters: Parameter[]): string {
  const placed = (place: string): Schema => {
    const these = parameters.filter((each) => each.in === place)
    const properties = Object.fromEntries(these.map(({ name, schema, description }) => [name, described(schema, description)]))
    return { type: 'object', properties, required: these.filter(({ required }) => required).map(({ name }) => name) }
  }
  const body = requestBody?.content['application/json']?.schema ?? false
  // For a stream, the type of its events.
  const [answer] = Object.entries(responses).flatMap(([status, { content = {} }]) =>
    status.startsWith('2') ? ['application/json', 'text/event-stream'].flatMap((type) => content[type]?.schema ?? []) : [],
  )
  const fields = { path: placed('path'), query: placed('query'), headers: placed('header'), body, answer }
  const lines = Object.entries(fields).map(
    ([name, schema]) => `    ${name}: ${schema === undefined ? 'undefined' : typeOf(schema, '    ')}\n`,
  )
  return `  /** ${summary} */\n  ${operationId}: {\n${lines.join('')}  }\n`
}

function described(schema: Schema, description: string | undefined): Schema {
  return typeof schema === 'boolean' || description === undefined ? schema : { ...schema, description }
}

/** Keywords without effect on the type: descriptions, and bounds that TypeScript cannot express. */
const withoutType = [
  ...['description', 'examples', 'example', 'default', 'format', 'contentEncoding', 'title'],
  ...[
    'pattern',
    'minLength',
    'maxLength',
    'minimum',
    'maximum',
    'exclusiveMinimum',
    'minItems',
    'maxItems',
    'maxProperties',
    'propertyNames',
    'dependentSchemas',
    'not',
  ],
]
const withType = ['$ref', 'type', 'enum', 'const', 'anyOf', 'oneOf', 'allOf', 'items', 'properties', 'required', 'additionalProperties']
const known = new Set([...withoutType, ...withType])

function typeOf(schema: Schema, indent: string): string {
  if (typeof schema === 'boolean') return schema ? 'unknown' : 'never'
  const strange = Object.keys(schema).filter((keyword) => !known.has(keyword))
  if (strange.length > 0) throw new Error(`cannot generate a type for the keywords ${strange.join(', ')}`)
  if (schema.$ref !== undefined) return referenced(schema.$ref)
  if (schema.enum) return schema.enum.map((value) => literal(value)).join(' | ')
  if (schema.const !== undefined) return literal(schema.const)
  const options = (schema.anyOf ?? schema.oneOf)?.filter((option) => !hasOnlyRequired(option))
  if (options && options.length > 0) {
    if (schema.properties) throw new Error('cannot generate a type for a choice beside properties')
    return union(options.map((option) => typeOf(option, indent)))
  }
  if (schema.allOf) return schema.allOf.map((part) => grouped(typeOf(part, indent))).join(' & ')
  if (Array.isArray(schema.type)) return union(schema.type.map((type) => typeOf({ ...schema, type }, indent)))
  return plainType(schema, indent)
}

/** Ignores which fields must occur together; the types do not express that. */
function hasOnlyRequired(schema: Schema): boolean {
  return typeof schema === 'object' && Object.keys(schema).join() === 'required'
}

function plainType(schema: SchemaObject, indent: string): string {
  switch (schema.type) {
    case 'string':
    case 'boolean':
    case 'null':
      return schema.type
    case 'integer':
    case 'number':
      return 'number'
    case 'array':
      return `${grouped(typeOf(schema.items ?? true, indent))}[]`
    case 'object':
      return objectType(schema, indent)
    case undefined:
      return 'unknown'
    default:
      throw new Error(`cannot generate a type for the type ${String(schema.type)}`)
  }
}

function objectType({ properties = {}, required = [], additionalProperties }: SchemaObject, indent: string): string {
  const inner = `${indent}  `
  const fields = Object.entries(properties).map(([name, schema]) => {
    const mark = required.includes(name) ? '' : '?'
    return `${comment(schema, inner)}${inner}${/^\w+$/.test(name) ? name : `'${name}'`}${mark}: ${typeOf(schema, inner)}\n`
  })
  const isOpen = additionalProperties !== undefined && additionalProperties !== false
  const others = isOpen ? typeOf(fields.length > 0 ? true : additionalProperties, inner) : undefined
  if (fields.length === 0) return `Record<string, ${others ?? 'never'}>`
  return `{\n${fields.join('')}${others ? `${inner}[field: string]: ${others}\n` : ''}${indent}}`
}

/** A union with `string` keeps its literals, so that editors complete them. */
function union(types: string[]): string {
  const isOpen = types.length > 1 && types.includes('string')
  return types.map((type) => (isOpen && type === 'string' && types.some(isName) ? '(string & {})' : type)).join(' | ')
}

function isName(type: string): boolean {
  return /^[A-Z]\w*$/.test(type)
}

function grouped(type: string): string {
  return type.includes(' | ') && !type.startsWith('{') ? `(${type})` : type
}

function referenced(reference: string): string {
  const name = /^#\/components\/schemas\/(\w+)$/.exec(reference)?.[1]
  if (name === undefined) throw new Error(`no type at ${reference}`)
  return name
}

function literal(value: unknown): string {
  return typeof value === 'string' ? `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'` : JSON.stringify(value)
}

function comment(schema: Schema, indent: string): string {
  const words = typeof schema === 'boolean' ? undefined : schema.description
  return words === undefined ? '' : `${indent}/** ${words.replaceAll('*/', '*\\/')} */\n`
}
