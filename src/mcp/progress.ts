import type { ServerContext } from '@modelcontextprotocol/server'
import type { Progress } from './tool.ts'

/** The increment of a notification without a known progress. */
const step = 0.001

/** Reports progress to a client that requested it: an increasing number up to 1, and a message. */
export function progressReporter({ mcpReq }: ServerContext): { report?(progress: Progress): void } {
  const progressToken = mcpReq._meta?.progressToken
  if (progressToken === undefined) return {}
  let reported = -step
  return {
    report: ({ done, words }) => {
      reported = Math.min(1, Math.max(done ?? 0, reported + step))
      // The client may have disconnected.
      void mcpReq
        .notify({ method: 'notifications/progress', params: { progressToken, progress: reported, total: 1, message: words } })
        .catch(() => undefined)
    },
  }
}
