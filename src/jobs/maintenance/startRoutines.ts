import { setTimeout as pause } from 'node:timers/promises'
import { type Context, contextFor } from '../../domain/context.ts'
import { addMissingRoutines, claimRoutines, endRoutine } from '../../domain/maintenance/claimRoutines.ts'
import { watchClock } from '../../domain/maintenance/watchClock.ts'
import { type RoutineName, routineNames, routinePeriods } from '../../domain/routines.ts'
import type { JobServices } from '../runners/jobContext.ts'
import { runWithJobInfo } from '../runners/jobSpans.ts'

export type Routines = {
  /** Starts no further routine. */
  stop(): void
  /** Resolves when running routines have ended, or after some seconds. */
  close(): Promise<void>
}

const defaultPollIntervalMs = 5_000
/** How long a stop waits for running routines. Another process continues them. */
const closeMs = 9_000

type Run = (name: RoutineName) => Promise<void>

/**
 * Runs each maintenance routine once per period in one of all processes, never twice at a time. The database's clock decides which
 * routines are due, and a monotonic timer when to poll, so the wall clock of a process has no effect. Routines that delete by age do not
 * start while the database's clock is not trusted.
 */
export function startRoutines(
  { services }: Pick<JobServices, 'services'>,
  { processId, run, pollIntervalMs = defaultPollIntervalMs }: { processId: string; run: Run; pollIntervalMs?: number | undefined },
): Routines {
  const context = contextFor(services, { kind: 'system' })
  const mayDelete = deletionGuard(context)
  const running = new Map<RoutineName, Promise<void>>()
  let timer: NodeJS.Timeout | undefined
  let isKnown = false
  let isStopped = false
  let polling: Promise<void> = Promise.resolve()
  plan(0)

  function plan(ms: number): void {
    timer = setTimeout(() => {
      polling = claimAndBegin()
        .catch((error: unknown) => context.log.warn({ error }, 'maintenance could not be claimed'))
        // Random, so that processes that started together do not poll together.
        .finally(() => !isStopped && plan(pollIntervalMs * (0.8 + 0.4 * Math.random())))
    }, ms).unref()
  }

  async function claimAndBegin(): Promise<void> {
    if (!isKnown) await addMissingRoutines(context)
    isKnown = true
    const may = await mayDelete()
    const names = routineNames.filter((name) => !running.has(name) && (may || !routinePeriods[name].needsTrustedClock))
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
      const ended = polling.then(() => Promise.all(running.values()))
      await Promise.race([ended, pause(closeMs, undefined, { signal: late.signal })])
      late.abort()
    },
  }
}

/** Runs a routine. False when it failed. */
async function attempt({ metrics, log }: Context, name: RoutineName, run: Run): Promise<boolean> {
  const startedAt = performance.now()
  const record = (outcome: 'done' | 'failed') =>
    metrics.job({ task: name, waitSeconds: 0, seconds: (performance.now() - startedAt) / 1000, outcome })
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

/** Checks whether rows may be deleted by the database's clock, and logs when the answer changes. */
function deletionGuard(context: Context): () => Promise<boolean> {
  let wasTrusted = true
  return async () => {
    const { isTrusted, aheadSeconds } = await watchClock(context)
    if (isTrusted !== wasTrusted) {
      if (isTrusted) context.log.info({}, 'the clock of the database is trusted again: old rows are deleted')
      else context.log.error({ aheadSeconds }, 'the clock of the database jumped far ahead: nothing is deleted by age for six hours')
    }
    wasTrusted = isTrusted
    return isTrusted
  }
}
