import { ConfigError } from '../../config/configError.ts'
import { readConfig } from '../../config/readConfig.ts'
import { vendors } from '../../providers/vendors.ts'
import { describeDemo, renewDemo } from '../boot/demoTeam.ts'
import { openForCommand } from '../boot/openForCommand.ts'

/**
 * Prints a new key and password of the demo team, which it creates if necessary, also while the service runs. Only the embedded database
 * has a demo. Contract: docs/contract.md#start-and-stop-of-a-process.
 */
export async function demo(): Promise<number> {
  const config = readConfig(process.env, { command: 'demo', vendors })
  if (config.database.kind !== 'embedded')
    throw new ConfigError('DATABASE_URL must be unset: the demo is for the embedded database. See docs/graphql.md for teams and keys.')
  const { services, close } = await openForCommand(config)
  try {
    process.stdout.write(describeDemo(await renewDemo(services), services.settings.publicUrl))
    return 0
  } finally {
    await close()
  }
}
