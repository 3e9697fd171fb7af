import { setTimeout as pause } from 'node:timers/promises'

const readySeconds = 240

/** Resolves when the service on this port is ready. Throws after four minutes. */
export async function awaitReady(port: number): Promise<void> {
  for (const deadline = performance.now() + readySeconds * 1000; performance.now() < deadline; ) {
    const status = await fetch(`http://127.0.0.1:${port}/readyz`, { signal: AbortSignal.timeout(5_000) }).then(
      async (response) => {
        await response.body?.cancel()
        return response.status
      },
      () => undefined,
    )
    if (status === 200) return
    await pause(100)
  }
  throw new Error(`port ${port} was not ready after ${readySeconds} s`)
}
