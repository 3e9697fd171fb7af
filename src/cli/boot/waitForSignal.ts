/**
 * One Ctrl-C can arrive several times: the terminal sends the signal to the whole process group, and npm and the launcher forward it too.
 * Signals within this time after the first count as the same Ctrl-C.
 */
const sameSignalMilliseconds = 1_000

/**
 * Resolves with the first SIGINT or SIGTERM. A signal more than `sameSignalMilliseconds` later ends the process at once, but not the end of the
 * launcher (`endWithLauncher.ts`), which asks for a shutdown and not for haste: it has no number.
 */
export function waitForSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let firstAt: number | undefined
    const onSignal = (signal: NodeJS.Signals, number?: number) => {
      if (firstAt !== undefined && number !== undefined && performance.now() - firstAt > sameSignalMilliseconds) process.exit(1)
      firstAt ??= performance.now()
      resolve(signal)
    }
    process.on('SIGTERM', onSignal)
    process.on('SIGINT', onSignal)
  })
}
