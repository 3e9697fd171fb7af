import { compileOperation } from '../../../src/schema/operations.ts'
import { schema } from '../../../src/schema/schema.ts'

/** A caller that does not disconnect. */
export const { signal } = new AbortController()

export const compile = (source: string) => compileOperation(schema, source)

/** The operations of the endpoints, each compiled once. */
export const start = compile(
  'mutation ($input: GenerationInput!, $key: String) { startGeneration(input: $input, idempotencyKey: $key) { replayed generation { json } } }',
)
export const estimate = compile('query ($input: GenerationInput!) { estimate(input: $input) { json } }')
export const get = compile('query ($id: ID!, $waitSeconds: Int!) { generation(id: $id, waitSeconds: $waitSeconds) { json } }')
export const cancel = compile('mutation ($id: ID!) { cancelGeneration(id: $id) { json } }')
export const history = compile(
  'query ($cursor: String, $limit: Int!, $status: String) { history(cursor: $cursor, limit: $limit, status: $status) { json } }',
)
export const families = compile(
  'query ($task: String, $outputType: String) { families(task: $task, outputType: $outputType) { nodes { json } } }',
)
export const family = compile('query ($id: ID!) { family(id: $id) { json } }')
export const account = compile('{ account { json creditsAvailable creditsHeld } }')
