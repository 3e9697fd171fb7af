import type { Config } from '../../config/readConfig.ts'
import { listenersOf, publicUrlOf } from './listeners.ts'
import { makeLogger } from './logger.ts'
import { type OpenedServices, openServices } from './openServices.ts'

/** `doctor` may need minutes to check a credit ledger of several years. */
const statementTimeoutMs = 600_000

/**
 * Opens the services for a command that may run at the same time as the service, such as `doctor` or `export`. It uses few connections, and
 * its statements have a long timeout. `restoring`: see OpenOptions.
 */
export async function openForCommand(config: Config, { restoring = false } = {}): Promise<OpenedServices> {
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
    queryTimeoutMilliseconds: statementTimeoutMs,
  })
}
