import { setTimeout as pause } from 'node:timers/promises'
import { type Context, contextFor } from '../../domain/context.ts'
import { addMissingRoutines, claimRoutines, endRoutine } from '../../domain/maintenance/claimRoutines.ts'
import { watchClock } from '../../domain/maintenance/watchClock.ts'
import { type RoutineName, routineNames, routinePeriods } from '../../domain/routines.ts'
import type { JobServices } from '../runners/jobContext.ts'
import { runWithJobInfo } from '../runners/jobSpans.ts'

export type Routines = {
  /** Begins no further routine. */
  stop(): void
  /** Resolves when those that run have ended, or after some seconds. */
  close(): Promise<void>
}

const defaultPollIntervalMs = 5_000
/** Routines get so long to come to a point where another process can go on. */
const closeMs = 9_000

type Run = (name: RoutineName) => Promise<void>

/**
 * Runs each routine of maintenance once in its period, over all processes together, and none beside itself. The database's clock decides
 * what is due, and a monotonic timer when to ask, so the wall clock of a process changes nothing. While that of the database is in doubt,
 * no routine that deletes by age begins.
 */
export function startRoutines(
  { services }: Pick<JobServices, 'services'>,
  { processId, run, pollIntervalMs = defaultPollIntervalMs }: { processId: string; run: Run; pollIntervalMs?: number },
): Routines {
  const context = contextFor(services, { kind: 'system' })
  const mayDelete = deletionGuard(context)
  const running = new Map<RoutineName, Promise<void>>()
  let timer: NodeJS.Timeout | undefined
  let isKnown = false
  let isStopped = false
  let look: Promise<void> = Promise.resolve()
  plan(0)

  function plan(ms: number): void {
    timer = setTimeout(() => {
      look = claimAndBegin()
        .catch((error: unknown) => context.log.warn({ error }, 'maintenance could not be claimed'))
        // Uneven, so that processes that started together do not ask together.
        .finally(() => !isStopped && plan(pollIntervalMs * (0.8 + 0.4 * Math.random())))
    }, ms).unref()
  }

  async function claimAndBegin(): Promise<void> {
    if (!isKnown) await addMissingRoutines(context)
    isKnown = true
    const may = await mayDelete()
    const names = routineNames.filter((name) => !running.has(name) && (may || !routinePeriods[name].deletes))
    for (const name of await claimRoutines(context, { names, processId })) {
      running.set(
        name,
        begin(name).finally(() => running.delete(name)),
      )
    }
  }

  async function begin(name: RoutineName): Promise<void> {
    const succeeded = !isStopped && (await attempt(context, name, run))
    await endRoutine(context, { name, processId, succeeded: succeeded && !isStopped }).catch((error: unknown) =>
      context.log.warn({ routine: name, error }, 'the end of a routine was not recorded'),
    )
  }

  return {
    stop() {
      isStopped = true
      clearTimeout(timer)
    },
    async close() {
      const late = new AbortController()
      const ended = look.then(() => Promise.all(running.values()))
      await Promise.race([ended, pause(closeMs, undefined, { signal: late.signal })])
      late.abort()
    },
  }
}

/** Runs a routine; false when it failed. */
async function attempt({ metrics, log }: Context, name: RoutineName, run: Run): Promise<boolean> {
  const begunAt = performance.now()
  const record = (outcome: 'done' | 'failed') =>
    metrics.job({ task: name, waitSeconds: 0, seconds: (performance.now() - begunAt) / 1000, outcome })
  try {
    await runWithJobInfo({ task: name, waitMs: 0 }, () => run(name))
    record('done')
    return true
  } catch (error) {
    record('failed')
    log.error({ routine: name, error }, 'a routine failed')
    return false
  }
}

/** Asks whether the database's clock may be deleted by, and logs once when the answer changes. */
function deletionGuard(context: Context): () => Promise<boolean> {
  let wasTrusted = true
  return async () => {
    const { isTrusted, aheadSeconds } = await watchClock(context)
    if (isTrusted !== wasTrusted) {
      if (isTrusted) context.log.info({}, 'the clock of the database is believed again: what is too old is deleted')
      else context.log.error({ aheadSeconds }, 'the clock of the database went far ahead at once: nothing is deleted by age for six hours')
    }
    wasTrusted = isTrusted
    return isTrusted
  }
}
