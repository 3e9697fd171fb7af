import { execute, parse } from 'graphql'
import { contextFor, type Services } from '../../../src/domain/context.ts'
import { refusalOf } from '../../../src/domain/sql.ts'
import { schema } from '../../../src/schema/schema.ts'

export type GraphqlResult<Data> = {
  data: Data | null
  codes: string[]
  /** The issues of a request, as `path: code`. */
  issues: string[]
}

export type GraphqlCaller = <Data = Record<string, unknown>>(
  source: string,
  variables?: Record<string, unknown>,
) => Promise<GraphqlResult<Data>>

/** Runs documents in the process as a signed-in person. */
export function aPerson(services: Services, userId: string): GraphqlCaller {
  return async <Data>(source: string, variableValues: Record<string, unknown> = {}) => {
    const { signal } = new AbortController()
    const contextValue = { context: contextFor(services, { kind: 'person', userId }), signal }
    const { data, errors = [] } = await execute({ schema, document: parse(source), variableValues, contextValue })
    const refusals = errors.map((error) => refusalOf(error.cause))
    return {
      data: (data ?? null) as Data | null,
      codes: errors.map((error, index) => refusals[index]?.code ?? error.message),
      issues: refusals.flatMap((refusal) => issuesOf(refusal?.details?.['issues'])),
    }
  }
}

function issuesOf(issues: unknown): string[] {
  return Array.isArray(issues) ? issues.map(({ path, code }: { path: string[]; code: string }) => `${path.join('.')}: ${code}`) : []
}
