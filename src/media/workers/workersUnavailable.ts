/** No worker can take the work for now: too much waits, its turn did not come, none starts, or the pool is closed. */
export class WorkersUnavailable extends Error {
  readonly reason: 'full' | 'late' | 'not_started' | 'closed'

  constructor(reason: WorkersUnavailable['reason']) {
    super(messages[reason])
    this.name = 'WorkersUnavailable'
    this.reason = reason
  }
}

const messages = {
  full: 'too much work waits for the workers',
  late: 'no worker was free in time',
  not_started: 'the worker did not start',
  closed: 'the workers are closed',
} as const
