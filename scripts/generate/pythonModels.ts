import type { Schema, SchemaObject, TypedDocument } from './clientTypes.ts'
import { docstring, exported, pythonName, quoted, typeName } from './pythonNames.ts'

/** The Python type of a value, and the expression that converts `value`; undefined if JSON needs no conversion. */
type Reading = { type: string; read?: (value: string) => string }
type Class = { name: string; base: string; text: string }

/** Schemas that map to Python's own types, and get no class. */
const scalars: Record<string, Reading> = {
  Moment: { type: 'datetime', read: (value) => `moment(${value})` },
  Credits: { type: 'Decimal', read: (value) => `exact(${value})` },
}

/** Schemas that extend another schema: in Python, the class must be a subclass, since types are nominal. */
const bases: Record<string, string> = { StartedGeneration: 'Generation' }

/** Request schemas, whose fields are keyword arguments of methods, and the dictionaries in them. */
const requests = ['GenerationCallback', 'GenerationRequest']
/** Fields that the client's methods set themselves. */
const leftOut = ['FileForm', 'FileRequest', 'CancelRequest', 'BatchRequest']

/**
 * Generates the module `models` of the Python client: a frozen dataclass for each object of an OpenAPI document, with its name and
 * description. Throws for a schema that it cannot express exactly, so that no type is silently wrong.
 */
export function pythonModels(document: TypedDocument): string {
  const schemas = document.components.schemas
  for (const name of [...Object.keys(scalars), ...requests]) if (!(name in schemas)) throw new Error(`the document has no ${name}`)
  const aliases: string[] = []
  const classes: Class[] = []
  for (const [name, schema] of Object.entries(schemas)) {
    if (name in scalars || leftOut.includes(name)) continue
    if (typeof schema === 'boolean') throw new Error(`cannot generate a class for ${name}`)
    if (requests.includes(name)) classes.push(requestClass({ name, schema, schemas }))
    else if (partsOf(schema, schemas).properties) modelClasses({ name, schema, schemas }, classes)
    else aliases.push(`${name} = ${readingOf(schema, { name, schemas, classes }).type}\n${docstring(schema.description, '')}`)
  }
  const names = [...aliases.map((text) => text.split(' ')[0] ?? ''), ...classes.map(({ name }) => name)]
  return [heading + exported(names), ...aliases, ...basesFirst(classes).map(({ text }) => `\n${text}`)].join('\n')
}

const heading = `"""What the service takes and answers.

Written by a program, \`npm run generate:python\`, from the OpenAPI document of the service.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import Any, Literal, TypedDict

from ._model import Json, Model, calendar_day, exact, listed, moment, object_of

`

type Place = { name: string; schema: SchemaObject; schemas: Record<string, Schema> }

function modelClasses({ name, schema, schemas }: Place, classes: Class[]): Reading {
  const { base, properties = {}, required = [] } = partsOf(schema, schemas, bases[name])
  const fields = Object.entries(properties).map(([field, each]) => {
    const { type, read } = readingOf(each, { name: name + typeName(field), schemas, classes })
    const isRequired = required.includes(field)
    const words = docstring(typeof each === 'boolean' ? undefined : each.description, '    ')
    const mark = isRequired ? '' : type.endsWith(' | None') || type === 'Any' ? ' = None' : ' | None = None'
    const made = read ? read(`json.get(${quoted(field)})`) : `json.get(${quoted(field)})`
    const instead = isRequired ? defaultFor(type) : ''
    return {
      declared: `    ${pythonName(field)}: ${type}${mark}\n${words}`,
      made: `            ${quoted(pythonName(field))}: ${made}${instead},\n`,
    }
  })
  const inherited = base ? '            **super()._fields(json),\n' : ''
  const text = [
    `@dataclass(frozen=True, kw_only=True)\nclass ${name}(${base ?? 'Model'}):\n`,
    `${docstring(schema.description, '    ')}${schema.description ? '\n' : ''}`,
    fields.map(({ declared }) => declared).join(''),
    `\n    @classmethod\n    def _fields(cls, json: Json) -> dict[str, Any]:\n        return {\n`,
    `${inherited}${fields.map(({ made }) => made).join('')}        }\n`,
  ]
  classes.push({ name, base: base ?? '', text: text.join('') })
  return { type: name, read: (value) => `object_of(${name}, ${value})` }
}

/** Optional with a default: an older service may not send the field. */
function defaultFor(type: string): string {
  if (type.startsWith('tuple[')) return ' or ()'
  return type.startsWith('Mapping[') ? ' or {}' : ''
}

/** Returns the object's own fields, without those of its base class. */
function partsOf(schema: SchemaObject, schemas: Record<string, Schema>, extended?: string): SchemaObject & { base?: string } {
  const [reference, ...others] = schema.allOf ?? []
  if (typeof reference === 'object' && reference.$ref !== undefined && others.length > 0) {
    const parts = others.filter((part) => typeof part === 'object')
    return {
      base: referenced(reference.$ref),
      properties: Object.assign({}, ...parts.map(({ properties }) => properties)) as Record<string, Schema>,
      required: parts.flatMap(({ required = [] }) => required),
    }
  }
  if (extended === undefined) return schema
  const base = schemas[extended]
  const inherited = typeof base === 'object' ? (base.properties ?? {}) : {}
  const own = Object.entries(schema.properties ?? {})
  const missing = Object.entries(inherited).filter(([name, each]) => JSON.stringify(schema.properties?.[name]) !== JSON.stringify(each))
  if (missing.length > 0) throw new Error(`it does not extend ${extended}: ${missing.map(([name]) => name).join(', ')}`)
  return { base: extended, properties: Object.fromEntries(own.filter(([name]) => !(name in inherited))), required: schema.required ?? [] }
}

function requestClass({ name, schema: { description, properties = {}, required = [] }, schemas }: Place): Class {
  const declared = (names: string[]) =>
    names.map((field) => {
      const each = properties[field]
      const words = docstring(typeof each === 'object' ? each.description : undefined, '    ')
      return `    ${pythonName(field)}: ${givenType(each ?? true, schemas)}\n${words}`
    })
  const table = Object.keys(properties).map((field) => `    ${quoted(pythonName(field))}: ${quoted(field)},\n`)
  const text = [
    `class _Required${name}(TypedDict):\n${declared(required).join('')}\n\n`,
    `class ${name}(_Required${name}, total=False):\n${docstring(description, '    ')}\n`,
    declared(Object.keys(properties).filter((field) => !required.includes(field))).join(''),
    `\n\n${name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '_').toUpperCase()}_NAMES = {\n${table.join('')}}\n`,
  ]
  return { name, base: '', text: text.join('') }
}

/** The type of an argument, which is wider than that of a response. */
function givenType(schema: Schema, schemas: Record<string, Schema>): string {
  if (typeof schema === 'boolean') return 'Any'
  if (schema.$ref?.endsWith('/Credits')) return 'float | Decimal'
  const named = schema.$ref === undefined ? undefined : referenced(schema.$ref)
  if (named !== undefined && requests.includes(named)) return named
  if (schema.type === 'array') return `Sequence[${givenType(schema.items ?? true, schemas)}]`
  if (schema.type === 'number') return 'float | Decimal'
  return readingOf(schema, { name: '', schemas, classes: [] }).type
}

type Context = { name: string; schemas: Record<string, Schema>; classes: Class[] }

function readingOf(schema: Schema, context: Context): Reading {
  if (typeof schema === 'boolean') return { type: 'Any' }
  if (schema.$ref !== undefined) return readingOfReference(referenced(schema.$ref), context)
  if (schema.enum) return { type: `Literal[${schema.enum.map((value) => JSON.stringify(value)).join(', ')}]` }
  if (schema.const !== undefined) return { type: `Literal[${JSON.stringify(schema.const)}]` }
  const options = schema.anyOf ?? schema.oneOf
  if (options) return choice(options.map((option) => readingOf(option, context)))
  if (schema.allOf?.length === 1) return readingOf(schema.allOf[0] ?? true, context)
  if (schema.allOf) throw new Error(`cannot generate a class for allOf at ${context.name}`)
  if (Array.isArray(schema.type)) return choice(schema.type.map((type) => readingOf({ ...schema, type }, context)))
  return plainReading(schema, context)
}

function readingOfReference(name: string, { schemas }: Context): Reading {
  const scalar = scalars[name]
  if (scalar) return scalar
  const schema = schemas[name]
  if (typeof schema !== 'object') throw new Error(`no schema at ${name}`)
  const isObject = partsOf(schema, schemas).properties !== undefined
  return isObject ? { type: name, read: (value) => `object_of(${name}, ${value})` } : { type: name }
}

/** At most one option may need a conversion, since two could not be distinguished. */
function choice(options: Reading[]): Reading {
  const types = [...new Set(options.map(({ type }) => type))].toSorted((a, b) => Number(a === 'None') - Number(b === 'None'))
  const [made, ...others] = options.filter(({ read }) => read)
  if (made && (others.length > 0 || types.some((type) => type !== made.type && type !== 'None'))) return { type: 'Any' }
  return { type: types.includes('Any') ? 'Any' : types.join(' | '), ...(made?.read ? { read: made.read } : {}) }
}

const plain: Record<string, string> = { string: 'str', boolean: 'bool', null: 'None', integer: 'int', number: 'float' }

function plainReading(schema: SchemaObject, context: Context): Reading {
  const type = String(schema.type)
  if (schema.type === undefined) return { type: 'Any' }
  if (schema.format === 'date') return { type: 'date', read: (value) => `calendar_day(${value})` }
  if (plain[type] !== undefined) return { type: plain[type] }
  if (type === 'array') {
    const { type: item, read } = readingOf(schema.items ?? true, context)
    return { type: `tuple[${item}, ...]`, read: (value) => `listed(${value}${read ? `, lambda each: ${read('each')}` : ''})` }
  }
  if (type !== 'object') throw new Error(`cannot generate a type for the type ${type}`)
  if (schema.properties && Object.keys(schema.properties).length > 0) return modelClasses({ ...context, schema }, context.classes)
  const { type: value, read } = readingOf(schema.additionalProperties ?? true, context)
  if (read) throw new Error(`cannot generate a type for the values at ${context.name}`)
  return { type: `Mapping[str, ${value}]` }
}

function referenced(reference: string): string {
  const name = /^#\/components\/schemas\/(\w+)$/.exec(reference)?.[1]
  if (name === undefined) throw new Error(`no type at ${reference}`)
  return name
}

/** Sorts classes so that a base class comes before its subclasses. */
function basesFirst(classes: Class[]): Class[] {
  const isBase = ({ name }: Class) => classes.some(({ base }) => base === name)
  return [...classes.filter(isBase), ...classes.filter((each) => !isBase(each))]
}
