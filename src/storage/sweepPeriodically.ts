import { sweepTemporaryFiles } from './temporaryFiles.ts'

const sweepEveryMs = 60 * 60 * 1000

/**
 * Removes what dead writers left in `folder`, now and every hour until closed. Housekeeping: a folder that is missing or cannot be used
 * is for those to report who need it.
 */
export function sweepPeriodically(folder: string): { close(): Promise<void> } {
  const sweep = () => sweepTemporaryFiles(folder, new Date()).catch(() => {})
  let swept = sweep()
  const timer = setInterval(() => {
    swept = sweep()
  }, sweepEveryMs).unref()
  return {
    async close() {
      clearInterval(timer)
      await swept
    },
  }
}
