import { type GraphQLSchema, isEnumType, isInputObjectType, isObjectType } from 'graphql'
import { commonDescriptions } from './commonDescriptions.ts'
import { teamDescriptions } from './teamDescriptions.ts'
import { typeDescriptions } from './typeDescriptions.ts'
import { workDescriptions } from './workDescriptions.ts'

/** Of single fields and arguments. */
export const memberDescriptions: Readonly<Record<string, string>> = { ...teamDescriptions, ...workDescriptions }

type Described = { name: string; description?: string | null | undefined }

/**
 * Adds the descriptions that are not written beside the definition: of members with the same meaning in every type, of connections, and of
 * fields whose REST shape has none. A description beside the definition, or of the shape, takes precedence.
 */
export function describeSchema(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap())) {
    if (type.name.startsWith('__')) continue
    if (isEnumType(type)) describe(type, typeDescriptions[type.name])
    if (!isObjectType(type) && !isInputObjectType(type)) continue
    describe(type, typeDescriptions[type.name] ?? describeByName(type.name))
    for (const field of Object.values(type.getFields())) {
      describe(field, memberDescriptions[`${type.name}.${field.name}`] ?? commonDescriptions[field.name])
      if (!('args' in field)) continue
      for (const argument of field.args)
        describe(argument, memberDescriptions[`${type.name}.${field.name}.${argument.name}`] ?? commonDescriptions[argument.name])
    }
  }
}

function describe(element: Described, description: string | undefined): void {
  if (!element.description && description !== undefined) element.description = description
}

/** Of types that follow a pattern: inputs and payloads of mutations, and connections. */
function describeByName(name: string): string | undefined {
  const [, mutation, kind] = /^(\w+)(Input|Payload)$/.exec(name) ?? []
  if (mutation !== undefined) {
    const field = mutation.charAt(0).toLowerCase() + mutation.slice(1)
    return kind === 'Input' ? `What \`${field}\` takes.` : `What \`${field}\` returns.`
  }
  if (name.endsWith('ConnectionEdge')) return 'An entry of a list with its cursor.'
  return name.endsWith('Connection') ? 'A page of a list.' : undefined
}
