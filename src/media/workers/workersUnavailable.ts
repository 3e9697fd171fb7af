/** No worker can take a task now: too many tasks wait, the wait was too long, no worker starts, or the pool is closed. */
export class WorkersUnavailable extends Error {
  readonly reason: 'full' | 'late' | 'not_started' | 'closed'

  constructor(reason: WorkersUnavailable['reason']) {
    super(messages[reason])
    this.name = 'WorkersUnavailable'
    this.reason = reason
  }
}

const messages = {
  full: 'too many tasks wait for the workers',
  late: 'no worker was free in time',
  not_started: 'the worker did not start',
  closed: 'the workers are closed',
} as const
