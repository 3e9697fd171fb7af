import { type ExecutionArgs, type ExecutionResult, execute, GraphQLError, getOperationAST, OperationTypeNode } from 'graphql'
import { type FairSemaphore, makeFairSemaphore, type Permit } from '../concurrency/fairSemaphore.ts'
import { invalidRequest, Refusal } from '../contract/refusals/refusals.ts'
import type { Actor } from '../domain/access/actor.ts'
import { type Complexity, complexityOf } from './checkComplexity.ts'
import { type CallerKind, heavyBytes, pageBytes, responseBytesMax } from './documentLimits.ts'
import type { OperationMeter } from './responseMeter.ts'

export type Caller = {
  actor: Actor | undefined
  /** Counts additional requests towards the caller's rate limit. Refusals: rate_limited. */
  countExtraRequests?: ((requests: number) => Promise<void>) | undefined
}

export type Operation = Caller & {
  meter: OperationMeter
  /** Aborts with a refusal when the client disconnects. */
  disconnected: AbortSignal
  /** Receives the permit of a heavy operation after its execution, to release it when the response was sent. */
  executed(held: Permit): void
}

/** The budget of response bytes of heavy operations in execution: one operation per person, and four people at once. */
const budgets: Record<CallerKind, { perHolder: number; total: number }> = {
  person: { perHolder: responseBytesMax, total: 4 * responseBytesMax },
  tool: { perHolder: 8 * responseBytesMax, total: 8 * responseBytesMax },
}

/**
 * Executes operations within their limits: counts each mutation, serialises the heavy operations of a person, and aborts an operation whose
 * response is too long. A disconnect does not abort an operation, so that clients cannot bypass the budget by disconnecting.
 */
export function makeExecuteWithLimits() {
  const budgetOf: Record<CallerKind, FairSemaphore> = {
    person: makeFairSemaphore(budgets.person),
    tool: makeFairSemaphore(budgets.tool),
  }

  async function admit(weight: Complexity, { actor, disconnected }: Operation): Promise<Permit | undefined> {
    const kind = callerKind(actor)
    const amount = weight.bytes + weight.pages * pageBytes
    // An operation that waits for a generation would block the budget. Such operations of people are light, see checkComplexity.
    if (amount <= heavyBytes || weight.waits) return undefined
    const holder = actor?.kind === 'person' ? actor.userId : kind
    return await budgetOf[kind].acquire(holder, amount, disconnected)
  }

  return async (asked: ExecutionArgs, operation: Operation): Promise<ExecutionResult> => {
    const node = getOperationAST(asked.document, asked.operationName)
    let held: Permit | undefined
    try {
      if (node) {
        const weight = complexityOf(asked.schema, asked.document, node)
        const isMutation = node.operation === OperationTypeNode.MUTATION
        if (isMutation) requireWrite(operation.actor)
        if (isMutation && weight.rootFields > 1) await operation.countExtraRequests?.(weight.rootFields - 1)
        held = await admit(weight, operation)
      }
      if (membersOf(asked.variableValues, membersMax + 1) > membersMax) throw tooManyMembers()
      return await execute({ ...asked, abortSignal: operation.meter.signal, options: { maxCoercionErrors: 1 } })
    } catch (error) {
      const refusal = operation.meter.signal.aborted ? operation.meter.signal.reason : error
      if (!(refusal instanceof Refusal)) throw error
      return { errors: [new GraphQLError(refusal.message, { cause: refusal })] }
    } finally {
      if (held) operation.executed(held)
    }
  }
}

/** Refusals: access_denied for a service token that may only read. */
function requireWrite(actor: Actor | undefined): void {
  if (actor?.kind !== 'service' || !actor.token?.readOnly) return
  throw new Refusal('access_denied', { cause: 'role' }, { message: 'This service token is read-only. Use a token that may write.' })
}

/** Of all variables together. Each unknown member is an error, and each error prints the whole object around it. */
const membersMax = 2_000

/** The number of members of all objects and lists of a value, counted up to `most`. */
function membersOf(value: unknown, most: number): number {
  let count = 0
  const open: unknown[] = [value]
  while (open.length > 0 && count < most) {
    const next = open.pop()
    if (typeof next !== 'object' || next === null) continue
    const members = Object.values(next)
    count += members.length
    if (count < most) open.push(...members)
  }
  return count
}

function tooManyMembers(): Refusal {
  const message = `Variables may have at most ${membersMax} members.`
  return invalidRequest({ in: 'body', path: ['variables'], code: 'too_big', message })
}

/** Whose limits apply to an actor. */
export function callerKind(actor: Actor | undefined): CallerKind {
  return actor?.kind === 'service' ? 'tool' : 'person'
}
