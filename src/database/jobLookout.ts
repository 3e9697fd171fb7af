import type pg from 'pg'

/** How many jobs of each task are due, some at most; a task of which nothing is due is not in it. */
export type DueJobs = ReadonlyMap<string, number>

/** As many looks at once are of use; whoever finds a job looks again when it is done with it. */
const countedMax = 10

const dueJobs = { name: 'due_jobs', text: 'select task, due, next_milliseconds as "nextMilliseconds" from due_jobs($1, $2)' }

type DueRow = { task: string; due: number; nextMilliseconds: number | null }

/** Nobody waits for it where little goes on; where much does, a slot that comes free looks for itself. */
const usualGapMs = 15
/** For a notice that was not heard. */
const usualIdleMs = 2_000

/**
 * Tells what is due of `tasks` after `hear` was called, when the time of a job comes, and now and then: by one question with an index,
 * at most one in `gapMs`. A look for jobs is dearer, since it reads all that wait, of whatever task, so only those look who may find some.
 * A question that fails tells nothing; the next one follows.
 */
export function openJobLookout(
  pool: Pick<pg.Pool, 'query'>,
  { tasks, tell, gapMs = usualGapMs, idleMs = usualIdleMs }: LookoutOptions,
): { hear(): void; close(): void } {
  let timer: NodeJS.Timeout | undefined
  let dueAt = Number.POSITIVE_INFINITY
  let begunAt = Number.NEGATIVE_INFINITY
  let isAsking = false
  let isClosed = false

  /** `afterMs` from now, or sooner when that was planned. */
  function plan(afterMs: number): void {
    const now = performance.now()
    const at = Math.max(now + afterMs, begunAt + gapMs)
    if (isClosed || at >= dueAt) return
    dueAt = at
    clearTimeout(timer)
    if (!isAsking) timer = setTimeout(() => void ask(), at - now).unref()
  }

  async function ask(): Promise<void> {
    isAsking = true
    begunAt = performance.now()
    dueAt = begunAt + idleMs
    const { rows } = await pool.query<DueRow>({ ...dueJobs, values: [tasks(), countedMax] }).catch(() => ({ rows: [] }))
    isAsking = false
    if (isClosed) return
    const due = new Map(rows.filter((row) => row.due > 0).map((row) => [row.task, row.due]))
    if (due.size > 0) tell(due)
    const planned = dueAt - performance.now()
    dueAt = Number.POSITIVE_INFINITY
    plan(Math.max(0, Math.min(planned, ...rows.map(({ nextMilliseconds }) => nextMilliseconds ?? idleMs))))
  }

  return {
    hear: () => plan(0),
    close() {
      isClosed = true
      clearTimeout(timer)
    },
  }
}

type LookoutOptions = {
  tasks(): readonly string[]
  tell(due: DueJobs): void
  gapMs?: number
  idleMs?: number
}
