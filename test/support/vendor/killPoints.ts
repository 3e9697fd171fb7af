/**
 * A moment at which the worker of a generation is killed: while the vendor answers, once the end is committed, or while a statement waits
 * for a lock. PostgreSQL then runs the statement and commits it (`committed`), or ends its session with the worker.
 */
export type KillPoint = {
  name: string
  at:
    | { vendor: 'submit' | 'poll' | 'output' }
    | { state: 'ready' }
    | { statement: string; lock: 'generations' | 'credit_accounts'; committed: boolean }
  /** Requests to the vendor over both workers; at least as many fetches, since an inspection that takes long is repeated with its fetch. */
  expected: { submits: number; polls: number; fetches: number }
}

/** The lines of the table in docs/decisions/0035-one-job-for-steps-that-are-due.md. */
export const killPoints: readonly KillPoint[] = [
  {
    name: 'before the claim and the intent are committed',
    at: { statement: 'with taken as', lock: 'generations', committed: false },
    expected: { submits: 1, polls: 1, fetches: 1 },
  },
  {
    name: 'after the intent, before the request',
    at: { statement: 'with taken as', lock: 'generations', committed: true },
    expected: { submits: 1, polls: 1, fetches: 1 },
  },
  { name: 'while the vendor answers the submit', at: { vendor: 'submit' }, expected: { submits: 2, polls: 1, fetches: 1 } },
  {
    name: 'before the handle is committed',
    at: { statement: 'select verdict, released_job from record_submitted', lock: 'generations', committed: false },
    expected: { submits: 2, polls: 1, fetches: 1 },
  },
  {
    name: 'after the handle is committed',
    at: { statement: 'select verdict, released_job from record_submitted', lock: 'generations', committed: true },
    expected: { submits: 1, polls: 1, fetches: 1 },
  },
  { name: 'while the vendor answers the poll', at: { vendor: 'poll' }, expected: { submits: 1, polls: 2, fetches: 1 } },
  {
    name: 'before the outputs are committed',
    at: { statement: 'select goes_on', lock: 'generations', committed: false },
    expected: { submits: 1, polls: 2, fetches: 1 },
  },
  {
    name: 'after the outputs are committed',
    at: { statement: 'select goes_on', lock: 'generations', committed: true },
    expected: { submits: 1, polls: 1, fetches: 1 },
  },
  { name: 'while the result is fetched', at: { vendor: 'output' }, expected: { submits: 1, polls: 1, fetches: 2 } },
  {
    name: 'after the result is stored, before the end is committed',
    at: { statement: 'select generation, job_id', lock: 'credit_accounts', committed: false },
    expected: { submits: 1, polls: 1, fetches: 2 },
  },
  {
    name: 'after the end is committed',
    at: { state: 'ready' },
    expected: { submits: 1, polls: 1, fetches: 1 },
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
