import type { Json } from '../../contract/json.ts'
import { requestFields } from '../../contract/shapes/generationRequest.ts'
import type { Problem } from './checkFamily.ts'
import type { SchemaCompiler } from './compileParameters.ts'
import type { FamilyFile } from './family.ts'

type Schema = Readonly<Record<string, Json>>

/** Checks the JSON Schema of a family's parameters against its variants and prompt limits. */
export function checkFamilyParameters(family: FamilyFile, compiler: SchemaCompiler): Problem[] {
  const { properties, required = [] } = family.parameters
  const used = new Set(family.variants.flatMap(({ parameterNames }) => parameterNames))
  const problems: Problem[] = []
  for (const [name, schema] of Object.entries(properties)) {
    const path = `parameters.properties.${name}`
    if (name === 'prompt') continue
    problems.push(...checkProperty(name, schema, path, compiler))
    if (!used.has(name)) problems.push({ path, reason: 'is in the parameterNames of no variant' })
  }
  for (const name of required) {
    if (name === 'prompt' || !Object.hasOwn(properties, name))
      problems.push({ path: 'parameters.required', reason: `has ${name}, which is not a parameter` })
  }
  return [...problems, ...checkNames(family), ...checkPrompt(family)]
}

function checkProperty(name: string, schema: Schema, path: string, compiler: SchemaCompiler): Problem[] {
  if (requestFields.includes(name)) return [{ path, reason: 'has the name of a request field' }]
  if (name in Object.prototype) return [{ path, reason: 'has the name of a property that every JavaScript object inherits' }]
  const problems = checkSubschema(schema, path)
  if (name === 'seed' && schema['default'] !== undefined)
    problems.push({ path: `${path}.default`, reason: 'must be absent, so that an omitted seed stays random' })
  try {
    const fits = compiler.property(schema)
    if (schema['default'] !== undefined && !fits(schema['default']))
      problems.push({ path: `${path}.default`, reason: 'does not fit its own schema' })
  } catch (error) {
    problems.push({ path, reason: error instanceof Error ? error.message : String(error) })
  }
  return problems
}

/** Objects must be closed at every depth, and no parameter may carry a file. */
function checkSubschema(schema: Json | undefined, path: string): Problem[] {
  if (Array.isArray(schema)) return schema.flatMap((item, index) => checkSubschema(item, `${path}[${index}]`))
  if (typeof schema !== 'object' || schema === null) return []
  const problems: Problem[] = []
  if (schema['type'] === 'object' && schema['additionalProperties'] !== false)
    problems.push({ path, reason: 'is an object without additionalProperties: false' })
  for (const keyword of ['contentEncoding', 'contentMediaType', 'format', '$ref', '$dynamicRef', '$id']) {
    if (typeof schema[keyword] === 'string') problems.push({ path: `${path}.${keyword}`, reason: 'is not allowed in a parameter' })
  }
  for (const [keyword, inner] of Object.entries(schema)) {
    if (!['default', 'const', 'enum', 'examples'].includes(keyword)) problems.push(...checkSubschema(inner, `${path}.${keyword}`))
  }
  return problems
}

function checkNames({ parameters: { properties }, variants }: FamilyFile): Problem[] {
  return variants.flatMap(({ parameterNames }, index) => {
    const path = `variants[${index}].parameterNames`
    return parameterNames.flatMap((name, index) => {
      if (name === 'prompt') return [{ path, reason: 'has prompt, which is sent at the top level of a request' }]
      if (!Object.hasOwn(properties, name)) return [{ path, reason: `has ${name}, which is not in parameters.properties` }]
      return parameterNames.indexOf(name) === index ? [] : [{ path, reason: `has ${name} twice` }]
    })
  })
}

/** Checks that a prompt limit is both in the schema and in its description, and is the longest of all variants. */
function checkPrompt({ parameters: { properties }, variants }: FamilyFile): Problem[] {
  const path = 'parameters.properties.prompt'
  const lengths = variants.flatMap(({ inputs: { prompt } }) => (prompt?.maxLength ? [prompt.maxLength] : []))
  const schema = Object.hasOwn(properties, 'prompt') ? properties['prompt'] : undefined
  if (lengths.length === 0) return schema ? [{ path, reason: 'is present, but no variant declares a prompt limit' }] : []
  const longest = Math.max(...lengths)
  if (!schema) return [{ path, reason: `is missing, but variants declare a prompt limit of ${longest}` }]
  const { type, maxLength, description } = schema as { type?: Json; maxLength?: Json; description?: Json }
  const named = typeof description === 'string' && description.replaceAll(',', '').includes(String(longest))
  const problems: Problem[] = []
  if (type !== 'string') problems.push({ path: `${path}.type`, reason: 'is not string' })
  if (maxLength !== longest)
    problems.push({ path: `${path}.maxLength`, reason: `is not ${longest}, the longest prompt limit of a variant` })
  if (!named) problems.push({ path: `${path}.description`, reason: `does not contain the limit of ${longest} characters` })
  return problems
}
