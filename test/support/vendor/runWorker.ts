import { onTestFinished } from 'vitest'
import { newId } from '../../../src/contract/ids.ts'
import type { Services } from '../../../src/domain/context.ts'
import { startWorker } from '../../../src/jobs/runners/worker.ts'
import type { Provider } from '../../../src/providers/provider.ts'
import { makeRegistry } from '../../../src/providers/registry.ts'

/** A worker of the queue `generations` until the end of the test. `end` runs first, to release anything that blocks its stop. */
export async function runWorker(
  services: Services,
  { providers, concurrency, end = () => undefined }: { providers: Provider[]; concurrency: number; end?: () => void },
): Promise<void> {
  const shutdown = new AbortController()
  const worker = await startWorker(
    { services, providers: makeRegistry(providers), shutdown: shutdown.signal },
    {
      pool: services.pool,
      databaseUrl: services.pool.options.connectionString ?? '',
      processId: newId('proc'),
      concurrency,
      queues: ['generations'],
      onPool: () => undefined,
    },
  )
  onTestFinished(async () => {
    end()
    shutdown.abort()
    await worker.stop()
  })
}
