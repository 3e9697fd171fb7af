import type { Config } from '../../config/readConfig.ts'
import { listenersOf, publicUrlOf } from './listeners.ts'
import { makeLogger } from './logger.ts'
import { type OpenedServices, openServices } from './openServices.ts'

/** Recounting the books of years takes its time. */
const booksMs = 600_000

/** Opens what the service stands on, beside one that runs, with the time that it takes to read through years. */
export async function openForDoctor(config: Config, { restoring = false } = {}): Promise<OpenedServices> {
  const listeners = await listenersOf(config)
  const publicUrl = publicUrlOf(config, listeners)
  return openServices(config, {
    log: makeLogger({ level: 'silent' }),
    publicUrl,
    listeners,
    poolMax: 2,
    join: true,
    direct: true,
    restoring,
    queryTimeoutMilliseconds: booksMs,
  })
}
