import type { VendorBehaviour } from './vendorServer.ts'

/** `isAtOnce`: the generation is still queued then, since the worker has had a result before and need not start its inspector. */
type Statement = {
  statement: string
  lock: 'generations' | 'generation_attempts' | 'credit_accounts'
  committed: boolean
  isAtOnce?: true
}

/**
 * A moment at which the worker of a generation is killed: while the vendor answers, once the end is committed, or while a statement waits
 * for a lock. PostgreSQL then runs the statement and commits it (`committed`), or ends its session with the worker.
 */
export type KillPoint = {
  name: string
  /** Default: a vendor with a queue, whose first poll finds the work done. */
  vendor?: Partial<VendorBehaviour>
  /** The vendor does not recognise repeats. */
  withoutRepeats?: true
  at: { vendor: 'submit' | 'poll' | 'output' } | { state: 'ready' } | Statement
  /** Requests to the vendor over both workers; at least as many fetches, since an inspection that takes long is repeated with its fetch. */
  expected: { submits: number; polls: number; fetches: number }
}

const claim = { statement: 'with taken as', lock: 'generations' } as const
const handle = { statement: 'select verdict, released_job', lock: 'generations' } as const
const outputs = { statement: 'select goes_on', lock: 'generations' } as const
const end = { statement: 'select generation, job_id', lock: 'credit_accounts' } as const
const once = { submits: 1, polls: 1, fetches: 1 }
const synchronous = { answersAtOnce: true }
/** The outputs of such an answer are recorded before they become the result. */
const anotherType = { answersAtOnce: true, declaredType: 'image/webp' }
const onceSynchronous = { submits: 1, polls: 0, fetches: 0 }

/** Each line of the table in decision 0035 except a lost notice, and the same moments for a vendor whose answer is the result. */
export const killPoints: readonly KillPoint[] = [
  { name: 'before the claim and the intent are committed', at: { ...claim, committed: false }, expected: once },
  { name: 'after the intent, before the request', at: { ...claim, committed: true }, expected: once },
  { name: 'while the vendor answers the submit', at: { vendor: 'submit' }, expected: { ...once, submits: 2 } },
  { name: 'after the answer, before its handle is committed', at: { ...handle, committed: false }, expected: { ...once, submits: 2 } },
  { name: 'after the handle is committed', at: { ...handle, committed: true }, expected: once },
  { name: 'while the vendor answers a poll', at: { vendor: 'poll' }, expected: { ...once, polls: 2 } },
  {
    name: 'after a poll is recorded, while its job waits for the next one',
    vendor: { pollsUntilDone: 2 },
    at: { statement: 'select has_moved, running_since', lock: 'generation_attempts', committed: true },
    expected: { ...once, polls: 2 },
  },
  { name: 'before the outputs are committed', at: { ...outputs, committed: false }, expected: { ...once, polls: 2 } },
  { name: 'after the outputs are committed', at: { ...outputs, committed: true }, expected: once },
  { name: 'while the result is fetched, inspected or stored', at: { vendor: 'output' }, expected: { ...once, fetches: 2 } },
  { name: 'before the end is committed', at: { ...end, committed: false }, expected: { ...once, fetches: 2 } },
  { name: 'after the end is committed', at: { state: 'ready' }, expected: once },
  {
    name: 'while the vendor answers the submit with the result',
    vendor: synchronous,
    at: { vendor: 'submit' },
    expected: { ...onceSynchronous, submits: 2 },
  },
  {
    name: 'before the end with the result of an answer is committed',
    vendor: synchronous,
    at: { ...end, committed: false, isAtOnce: true },
    expected: onceSynchronous,
  },
  {
    name: 'before the end with the result of an answer is committed, with a vendor that does not recognise repeats',
    vendor: synchronous,
    withoutRepeats: true,
    at: { ...end, committed: false, isAtOnce: true },
    expected: onceSynchronous,
  },
  {
    name: 'before the outputs of an answer are committed, with a vendor that declares another type',
    vendor: anotherType,
    withoutRepeats: true,
    at: { ...outputs, committed: false },
    expected: onceSynchronous,
  },
  {
    name: 'after the outputs of an answer are committed, with a vendor that declares another type',
    vendor: anotherType,
    at: { ...outputs, committed: true },
    expected: onceSynchronous,
  },
]

export type KillReport = {
  name: string
  state: string
  submits: number
  polls: number
  fetches: number
  /** Works that the vendor accepted. */
  accepted: number
  charges: number
  events: number
  jobsLeft: number
  faults: string[]
}

/** Whether the generation became ready, was charged and told once, and the vendor was asked as often as expected. */
export function heldAt({ expected }: KillPoint, report: KillReport): boolean {
  const { state, submits, polls, fetches, accepted, charges, events, jobsLeft, faults } = report
  const isOnce = accepted === 1 && charges === 1 && events === 1 && jobsLeft === 0 && faults.length === 0
  return state === 'ready' && isOnce && submits === expected.submits && polls === expected.polls && fetches >= expected.fetches
}
