import {
  type DocumentNode,
  type GraphQLSchema,
  getNamedType,
  isObjectType,
  parse,
  TypeInfo,
  validate,
  visit,
  visitWithTypeInfo,
} from 'graphql'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { readsOf } from '../../bench/support/growth/readsOf.ts'
import { personalQueries, screenQueries } from '../../bench/support/growth/screenReads.ts'
import type { Read } from '../../bench/support/latency.ts'
import { endpoints } from '../../src/rest/endpoints.ts'
import { schema } from '../../src/schema/schema.ts'

/** Paging has its own reads. `wait` delays an answer, and does not choose rows. */
const paging = ['cursor', 'limit', 'wait', 'first', 'last', 'after', 'before']

/** Paths that read no table that grows. */
const constantPaths = ['/generations/{id}/events', '/openapi.json', '/callback-secret']

/** Lists and filters without a read of their own, with the reason. */
const otherwiseRead: Record<string, string> = {
  'generationChanges(id)': 'a stream; `bench -- streams` measures it',
  'families(outputType)': 'a filter in memory; REST sends it',
}

const team = (name: string) => ({
  key: name,
  keyId: `key_${name}`,
  userId: `user_${name}`,
  teamId: `team_${name}`,
  accountId: 'a',
  subscriptionId: 's',
})

/** Answers as a service with 1,000 rows in each list. */
const full = {
  ask: async ({ path }: Read) =>
    path === '/graphql'
      ? { data: { team: { generations: { pageInfo: { endCursor: 'x', hasNextPage: true } } } } }
      : { nextCursor: 'x', items: [{ generationId: 'gen_1', id: 'evt_1', fileId: 'file_1' }] },
}

const reads = Object.values(await readsOf(full, { large: team('large'), average: team('average') }, 'token'))
const documents = reads.flatMap(({ body }) => (isQuery(body) ? [parse(body.query)] : []))

describe('the benchmark of growth', () => {
  test('reads every endpoint of REST with every filter', () => {
    const sent = reads.map(({ path }) => new URL(path, 'http://service'))
    const missing = endpoints(() => ({})).flatMap(({ method, path, query }) => {
      if (method !== 'GET' || constantPaths.includes(path)) return []
      const pattern = new RegExp(`^/api/v1${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`)
      const here = sent.filter(({ pathname }) => pattern.test(pathname))
      if (here.length === 0) return [path]
      const used = here.flatMap(({ searchParams }) => [...searchParams.keys()].map((name) => name.replace(/\[.*/, '')))
      return Object.keys(query instanceof z.ZodObject ? query.shape : {}).flatMap((name) =>
        paging.includes(name) || used.includes(name) ? [] : [`${path}?${name}`],
      )
    })
    expect(missing).toEqual([])
  })

  test('reads every list of GraphQL with every filter', () => {
    const used = new Set(documents.flatMap((document) => filtersIn(document)))
    const missing = filtersOf(schema).filter((filter) => !used.has(filter) && !(filter in otherwiseRead))
    expect(missing).toEqual([])
  })

  test('reads every query of the screens', () => {
    const names = documents.flatMap(({ definitions }) =>
      definitions.flatMap((each) => ('name' in each && each.name ? [each.name.value] : [])),
    )
    expect(Object.keys(screenQueries()).filter((name) => !names.includes(name) && !personalQueries.includes(name))).toEqual([])
  })

  test('sends only valid queries', () => {
    expect(documents.flatMap((document) => validate(schema, document).map(({ message }) => message))).toEqual([])
  })
})

/**
 * The connections of a schema, such as `Team.ledger`, and each argument that chooses rows, such as `ledger(grantsOnly)`. A team and a person
 * have the same statements. Other fields of the root are read through REST.
 */
function filtersOf(graph: GraphQLSchema): string[] {
  const types = Object.values(graph.getTypeMap()).filter(isObjectType)
  return types.flatMap((type) => {
    if (type.name === 'Mutation' || type.name.startsWith('__')) return []
    return Object.values(type.getFields()).flatMap((field) => {
      const isConnection = getNamedType(field.type).name.endsWith('Connection')
      if (type.name === 'Query' && !isConnection) return []
      const filters = field.args.filter((each) => !paging.includes(each.name)).map((each) => `${field.name}(${each.name})`)
      return isConnection ? [`${type.name}.${field.name}`, ...filters] : filters
    })
  })
}

/** The same for one document. */
function filtersIn(document: DocumentNode): string[] {
  const used: string[] = []
  const info = new TypeInfo(schema)
  visit(
    document,
    visitWithTypeInfo(info, {
      Field: ({ name, arguments: given = [] }) => {
        used.push(`${info.getParentType()?.name}.${name.value}`, ...given.map((each) => `${name.value}(${each.name.value})`))
      },
    }),
  )
  return used
}

function isQuery(body: unknown): body is { query: string } {
  return typeof body === 'object' && body !== null && 'query' in body && typeof body.query === 'string'
}
