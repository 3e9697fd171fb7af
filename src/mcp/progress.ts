import type { ServerContext } from '@modelcontextprotocol/server'
import type { Progress } from './tool.ts'

/** Between two notices of which nothing more is known than that something has changed. */
const step = 0.001

/** How progress is told to a client that asked for it: as a number that only grows, 1 at most, and in words. */
export function progressReporter({ mcpReq }: ServerContext): { report?(progress: Progress): void } {
  const progressToken = mcpReq._meta?.progressToken
  if (progressToken === undefined) return {}
  let told = -step
  return {
    report: ({ done, words }) => {
      told = Math.min(1, Math.max(done ?? 0, told + step))
      // A client that has gone misses it.
      void mcpReq
        .notify({ method: 'notifications/progress', params: { progressToken, progress: told, total: 1, message: words } })
        .catch(() => undefined)
    },
  }
}
