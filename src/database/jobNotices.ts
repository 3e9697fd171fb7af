import type { Notification } from 'pg'

const ofNewJobs = 'jobs:insert'

/**
 * Passes notices on, those of new jobs at most once in `everyMs`: the first at once, and what comes until the next is due as one with
 * their sum. Each makes every runner look through all jobs that wait, and many at once make it look again for each of its slots.
 */
export function gatherJobNotices(tell: (notice: Pick<Notification, 'channel' | 'payload'>) => void, { everyMs }: { everyMs: number }) {
  let waiting = 0
  let pause: NodeJS.Timeout | undefined

  function pass(): void {
    pause = undefined
    if (waiting === 0) return
    const payload = JSON.stringify({ count: waiting })
    waiting = 0
    pause = setTimeout(pass, everyMs).unref()
    tell({ channel: ofNewJobs, payload })
  }

  return {
    hear({ channel, payload }: Pick<Notification, 'channel' | 'payload'>): void {
      if (channel !== ofNewJobs) return tell({ channel, payload })
      waiting += jobsIn(payload)
      if (!pause) pass()
    },
    /** Forgets what it has not passed on. */
    forget(): void {
      clearTimeout(pause)
      pause = undefined
      waiting = 0
    },
  }
}

/** Below 1 when none is new. */
function jobsIn(payload: string | undefined): number {
  try {
    const { count = 1 } = JSON.parse(payload ?? '') as { count?: number }
    return Math.max(0, count)
  } catch {
    return 1
  }
}
