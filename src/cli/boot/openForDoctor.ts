import type { Config } from '../../config/readConfig.ts'
import { listenersOf, publicUrlOf } from './listeners.ts'
import { makeLogger } from './logger.ts'
import { type OpenedServices, openServices } from './openServices.ts'

/** Checking the books of years may take this long. */
const booksMs = 600_000

/** Opens the services beside a running process, with long statement timeouts. */
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
