import { type ExecutionArgs, type ExecutionResult, execute, GraphQLError, getOperationAST, OperationTypeNode } from 'graphql'
import { type FairBudget, type Held, makeFairBudget } from '../concurrency/fairBudget.ts'
import { invalidRequest, Refusal } from '../contract/refusals.ts'
import type { Actor } from '../domain/access/actor.ts'
import type { OperationMeter } from './answerMeter.ts'
import { answerBytes, type CallerKind, heavyBytes, pageBytes } from './documentLimits.ts'
import { type Weight, weightOf } from './weighDocument.ts'

export type Caller = {
  actor: Actor | undefined
  /** Counts so many more requests towards the caller's rate. Refusals: rate_limited. */
  countMore?: ((requests: number) => Promise<void>) | undefined
}

export type Operation = Caller & {
  meter: OperationMeter
  /** Aborts with a refusal when the client is gone. */
  left: AbortSignal
  /** Takes over what a heavy operation holds of the budget: it was executed, its answer is to be written and sent. */
  executed(held: Held): void
}

/** What heavy operations in execution may answer with together: a person's run one at a time, and four people's side by side. */
const budgets: Record<CallerKind, { perHolder: number; total: number }> = {
  person: { perHolder: answerBytes, total: 4 * answerBytes },
  tool: { perHolder: 8 * answerBytes, total: 8 * answerBytes },
}

/**
 * Executes operations within their limits: counts each mutation, lets heavy operations wait for others of the same person, and ends an
 * operation whose answer is too long. One that began goes on when its client is gone, so that hanging up makes no room for the next.
 */
export function makeMeasuredExecution() {
  const budgetOf: Record<CallerKind, FairBudget> = {
    person: makeFairBudget(budgets.person),
    tool: makeFairBudget(budgets.tool),
  }

  async function admit(weight: Weight, { actor, left }: Operation): Promise<Held | undefined> {
    const kind = callerKind(actor)
    const amount = weight.bytes + weight.pages * pageBytes
    // What waits for work to end would keep others waiting as long. People's are light by the limits of documents.
    if (amount <= heavyBytes || weight.waits) return undefined
    const holder = actor?.kind === 'person' ? actor.userId : kind
    return await budgetOf[kind].acquire(holder, amount, left)
  }

  return async (asked: ExecutionArgs, operation: Operation): Promise<ExecutionResult> => {
    const node = getOperationAST(asked.document, asked.operationName)
    let held: Held | undefined
    try {
      if (node) {
        const weight = weightOf(asked.schema, asked.document, node)
        const isMutation = node.operation === OperationTypeNode.MUTATION
        if (isMutation && weight.rootFields > 1) await operation.countMore?.(weight.rootFields - 1)
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
