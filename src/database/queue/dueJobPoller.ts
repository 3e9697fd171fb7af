import type pg from 'pg'
import { type DueWatermarks, makeDueWatermarks } from './dueWatermarks.ts'
import { dueJobs } from './graphileInternals.ts'

/** How many jobs of each task are due, some at most; a task of which nothing is due is not in it. */
export type DueJobs = ReadonlyMap<string, number>

/** As many looks at once are of use; whoever finds a job looks again when it is done with it. */
const countedMax = 10

type DueRow = { task: string; due: number; nextMilliseconds: number | null; goneBefore: string }

/** A job that a dead process held has been due since long before. Looking for such takes a twentieth of the time at most. */
const fullGapMs = 2_000
const fullShare = 20

/** Nobody waits for it where little goes on; where much does, a slot that comes free looks for itself. */
const defaultGapMs = 15
/** For a notice that was not heard. */
const defaultIdleMs = 2_000

/**
 * Tells what is due of `tasks` after `hear` was called, when the time of a job comes, and now and then: by one question with an index,
 * at most one in `gapMs`. A look for jobs is dearer, since it reads all that wait, of whatever task, so only those look who may find some.
 * A question that fails tells nothing; the next one follows. `since` comes to know since when jobs may be due: all questions but one in two
 * seconds leave out what is due since before, which costs time while a snapshot is open.
 */
export function openDueJobPoller(
  pool: Pick<pg.Pool, 'query'>,
  { tasks, notify, since = makeDueWatermarks(), gapMs = defaultGapMs, idleMs = defaultIdleMs }: DueJobPollerOptions,
): { trigger(): void; close(): void } {
  let timer: NodeJS.Timeout | undefined
  let dueAt = Number.POSITIVE_INFINITY
  let begunAt = Number.NEGATIVE_INFINITY
  let isPolling = false
  let isClosed = false
  let fullAt = Number.NEGATIVE_INFINITY

  /** `afterMs` from now, or sooner when that was planned. */
  function plan(afterMs: number): void {
    const now = performance.now()
    const at = Math.max(now + afterMs, begunAt + gapMs)
    if (isClosed || at >= dueAt) return
    dueAt = at
    clearTimeout(timer)
    if (!isPolling) timer = setTimeout(() => void ask(), at - now).unref()
  }

  async function ask(): Promise<void> {
    isPolling = true
    begunAt = performance.now()
    dueAt = begunAt + idleMs
    const rows = await read(begunAt >= fullAt).catch(() => [])
    isPolling = false
    if (isClosed) return
    const due = new Map(rows.filter((row) => row.due > 0).map((row) => [row.task, row.due]))
    if (due.size > 0) notify(due)
    const planned = dueAt - performance.now()
    dueAt = Number.POSITIVE_INFINITY
    plan(Math.max(0, Math.min(planned, ...rows.map(({ nextMilliseconds }) => nextMilliseconds ?? idleMs))))
  }

  async function read(isFull: boolean): Promise<DueRow[]> {
    const asked = tasks()
    const from = isFull ? asked.map(() => '-infinity') : since.of(asked)
    const { rows } = await pool.query<DueRow>({ ...dueJobs, values: [asked, from, countedMax] }).finally(() => {
      // One that failed took its time as well: without its pause no short question would follow.
      if (isFull) fullAt = performance.now() + Math.max(fullGapMs, fullShare * (performance.now() - begunAt))
    })
    for (const { task, goneBefore } of rows) since.note(task, goneBefore)
    return rows
  }

  return {
    trigger: () => plan(0),
    close() {
      isClosed = true
      clearTimeout(timer)
    },
  }
}

type DueJobPollerOptions = {
  tasks(): readonly string[]
  notify(due: DueJobs): void
  since?: DueWatermarks
  gapMs?: number
  idleMs?: number
}
