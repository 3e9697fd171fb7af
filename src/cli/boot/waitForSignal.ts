/** A terminal signals the whole group, and npm and the launcher forward it: repeats within this time are the same Ctrl-C. */
const echoMilliseconds = 1_000

/** Resolves with the first SIGINT or SIGTERM; a later one ends the process at once. */
export function waitForSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let firstAt: number | undefined
    const take = (signal: NodeJS.Signals) => {
      if (firstAt !== undefined && performance.now() - firstAt > echoMilliseconds) process.exit(1)
      firstAt ??= performance.now()
      resolve(signal)
    }
    process.on('SIGTERM', take)
    process.on('SIGINT', take)
  })
}
