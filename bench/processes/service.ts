import { makeLogger } from '../../src/cli/boot/logger.ts'
import { type Role, startRoles } from '../../src/cli/boot/startRoles.ts'
import { readConfig } from '../../src/config/readConfig.ts'
import { makeRegistry } from '../../src/providers/registry.ts'
import { vendors } from '../../src/providers/vendors.ts'
import { instantProvider } from '../support/instantProvider.ts'

/** The service with the roles of BENCH_ROLES, on a free port; its models respond immediately. */
const roles = (process.env['BENCH_ROLES'] ?? 'http').split(',') as Role[]
const config = readConfig({ ...process.env, PORT: '0' }, { command: 'serve', vendors })
const running = await startRoles(config, {
  roles,
  log: makeLogger({ level: config.logLevel }),
  openProviders: () => makeRegistry([instantProvider()]),
})
process.once('SIGTERM', () => void running.stop().then(() => process.exit(0)))
process.send?.(running.publicUrl)
