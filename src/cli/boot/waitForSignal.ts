/** npm and the launcher hand on what a terminal sends to the whole group, so one press may arrive several times; not so late as this. */
const echoMilliseconds = 1_000

/** Resolves with the first signal that asks the process to end; one that comes later ends it at once. */
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
