import { makeLogger } from '../../src/cli/boot/logger.ts'
import { openServices } from '../../src/cli/boot/openServices.ts'
import { readConfig } from '../../src/config/readConfig.ts'
import { type Context, contextFor } from '../../src/domain/context.ts'
import { vendors } from '../../src/providers/vendors.ts'
import type { Fixture } from './fixture.ts'

/** The check of the books reads everything in one statement. */
const booksMilliseconds = 600_000

/** Runs `work` with the services of a fixture, in this process. */
export async function insideFixture<Result>({ env }: Fixture, work: (context: Context) => Promise<Result>): Promise<Result> {
  const log = makeLogger({ level: 'error' })
  const config = readConfig(env, { command: 'work', vendors })
  const opened = await openServices(config, {
    log,
    publicUrl: 'http://localhost',
    listeners: [],
    poolMax: 4,
    queryTimeoutMilliseconds: booksMilliseconds,
  })
  try {
    return await work(contextFor(opened.services, { kind: 'service' }))
  } finally {
    await opened.close()
  }
}
