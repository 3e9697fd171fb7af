import { type ExecutionArgs, type ExecutionResult, execute, GraphQLError, getOperationAST, OperationTypeNode } from 'graphql'
import { type FairSemaphore, makeFairSemaphore, type Permit } from '../concurrency/fairSemaphore.ts'
import { invalidRequest, Refusal } from '../contract/refusals/refusals.ts'
import type { Actor } from '../domain/access/actor.ts'
import { type Complexity, complexityOf } from './checkComplexity.ts'
import { type CallerKind, heavyBytes, pageBytes, responseBytesMax } from './documentLimits.ts'
import type { OperationMeter } from './responseMeter.ts'

export type Caller = {
  actor: Actor | undefined
  /** Counts so many more requests towards the caller's rate. Refusals: rate_limited. */
  countExtraRequests?: ((requests: number) => Promise<void>) | undefined
}

export type Operation = Caller & {
  meter: OperationMeter
  /** Aborts with a refusal when the client is gone. */
  disconnected: AbortSignal
  /** Takes over what a heavy operation holds of the budget: it was executed, its answer is to be written and sent. */
  executed(held: Permit): void
}

/** What heavy operations in execution may answer with together: a person's run one at a time, and four people's side by side. */
const budgets: Record<CallerKind, { perHolder: number; total: number }> = {
  person: { perHolder: responseBytesMax, total: 4 * responseBytesMax },
  tool: { perHolder: 8 * responseBytesMax, total: 8 * responseBytesMax },
}

/**
 * Executes operations within their limits: counts each mutation, lets heavy operations wait for others of the same person, and ends an
 * operation whose answer is too long. One that began goes on when its client is gone, so that hanging up makes no room for the next.
 */
export function makeExecuteWithLimits() {
  const budgetOf: Record<CallerKind, FairSemaphore> = {
    person: makeFairSemaphore(budgets.person),
    tool: makeFairSemaphore(budgets.tool),
  }

  async function admit(weight: Complexity, { actor, disconnected }: Operation): Promise<Permit | undefined> {
    const kind = callerKind(actor)
    const amount = weight.bytes + weight.pages * pageBytes
    // What waits for work to end would keep others waiting as long. People's are light by the limits of documents.
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

/** Of all variables together. Each that a schema does not know is an error, and each error prints the whole object around it. */
const membersMax = 2_000

/** How many members the objects and lists of a value have together; counted up to `most`. */
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
  const message = `Variables may have ${membersMax} members in all.`
  return invalidRequest({ in: 'body', path: ['variables'], code: 'too_big', message })
}

/** Whose limits apply to an actor. */
export function callerKind(actor: Actor | undefined): CallerKind {
  return actor?.kind === 'service' ? 'tool' : 'person'
}
