import { sweepTemporaryFiles } from './temporaryFiles.ts'

const sweepEveryMs = 60 * 60 * 1000

/** Removes temporary files of crashed writers from `folder`, now and every hour until closed. Ignores a missing or unusable folder. */
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
