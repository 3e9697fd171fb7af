import type pg from 'pg'
import { type DueWatermarks, makeDueWatermarks } from './dueWatermarks.ts'
import { dueJobs } from './graphileInternals.ts'

/** The number of due jobs by task, up to a maximum. Tasks without due jobs are absent. */
export type DueJobs = ReadonlyMap<string, number>

/**
 * A poll counts at most this many jobs of a task. The next ones are fetched when a job ends, or when `resume` says that one has released its
 * slot.
 */
const countedMax = 10

type DueRow = { task: string; due: number; nextMilliseconds: number | null; goneBefore: string }

/** A job that a dead process held has been due for long. The polls that find such jobs take a twentieth of the time at most. */
const fullGapMs = 2_000
const fullShare = 20

/** The first poll after a pause is immediate; under load, a slot that becomes free fetches without a poll. */
const defaultGapMs = 15
/** Limits the delay when a notification was lost. */
const defaultIdleMs = 2_000

/**
 * Polls for due jobs of `tasks` and calls `notify` with those found: after `trigger` or `resume`, when the next job becomes due, and every
 * `idleMs`.
 * A poll is one indexed query, at most one in `gapMs`. A fetch costs more, since it reads waiting jobs of every task, so only runners that
 * will find a job fetch. A failed poll is ignored. All polls but one in two seconds skip jobs that are due since before the watermark in
 * `since`: beside an open snapshot, PostgreSQL would read every ended job.
 */
export function openDueJobPoller(
  pool: Pick<pg.Pool, 'query'>,
  { tasks, notify, since = makeDueWatermarks(), gapMs = defaultGapMs, idleMs = defaultIdleMs }: DueJobPollerOptions,
): DueJobPoller {
  let timer: NodeJS.Timeout | undefined
  let dueAt = Number.POSITIVE_INFINITY
  let startedAt = Number.NEGATIVE_INFINITY
  let isPolling = false
  let isClosed = false
  let nextFullAt = Number.NEGATIVE_INFINITY
  let lastDue: DueJobs = new Map()

  /** Polls in `afterMs`, or earlier if a poll is already planned. */
  function plan(afterMs: number): void {
    const now = performance.now()
    const at = Math.max(now + afterMs, startedAt + gapMs)
    if (isClosed || at >= dueAt) return
    dueAt = at
    clearTimeout(timer)
    if (!isPolling) timer = setTimeout(() => void poll(), at - now).unref()
  }

  async function poll(): Promise<void> {
    isPolling = true
    startedAt = performance.now()
    dueAt = startedAt + idleMs
    const rows = await read(startedAt >= nextFullAt).catch(() => [])
    isPolling = false
    if (isClosed) return
    lastDue = new Map(rows.filter((row) => row.due > 0).map((row) => [row.task, row.due]))
    if (lastDue.size > 0) notify(lastDue)
    const planned = dueAt - performance.now()
    dueAt = Number.POSITIVE_INFINITY
    plan(Math.max(0, Math.min(planned, ...rows.map(({ nextMilliseconds }) => nextMilliseconds ?? idleMs))))
  }

  async function read(isFull: boolean): Promise<DueRow[]> {
    const polled = tasks()
    const from = isFull ? polled.map(() => '-infinity') : since.of(polled)
    const { rows } = await pool.query<DueRow>({ ...dueJobs, values: [polled, from, countedMax] }).finally(() => {
      // A failed full poll also delays the next one: otherwise every poll after it would be a full one.
      if (isFull) nextFullAt = performance.now() + Math.max(fullGapMs, fullShare * (performance.now() - startedAt))
    })
    for (const { task, goneBefore } of rows) since.note(task, goneBefore)
    return rows
  }

  return {
    trigger: () => plan(0),
    resume: () => void ([...lastDue.values()].some((due) => due >= countedMax) && plan(0)),
    close() {
      isClosed = true
      clearTimeout(timer)
    },
  }
}

export type DueJobPoller = {
  /** There are new jobs. */
  trigger(): void
  /** This process can run another job: polls if the last poll has found more jobs than it has reported. */
  resume(): void
  close(): void
}

type DueJobPollerOptions = {
  tasks(): readonly string[]
  notify(due: DueJobs): void
  since?: DueWatermarks
  gapMs?: number
  idleMs?: number
}
