import { makeLogger } from '../../../src/cli/boot/logger.ts'
import { startRoles } from '../../../src/cli/boot/startRoles.ts'
import { readConfig } from '../../../src/config/readConfig.ts'
import { makeRegistry } from '../../../src/providers/registry.ts'
import { vendors } from '../../../src/providers/vendors.ts'
import { vendorProvider } from './vendorProvider.ts'

/** A worker process; notifies its parent when it is ready. With VENDOR_URL it has only the models of that vendor. */
const config = readConfig(process.env, { command: 'work', vendors })
const url = process.env['VENDOR_URL']
const idempotentSubmit = process.env['VENDOR_WITHOUT_REPEATS'] === undefined
const running = await startRoles(config, {
  roles: ['worker'],
  log: makeLogger({ level: config.logLevel }),
  ...(url === undefined ? {} : { openProviders: () => makeRegistry([vendorProvider(url, { idempotentSubmit })]) }),
})
// Ends with an aborted test.
process.once('disconnect', () => process.exit(1))
process.once('SIGTERM', () => void running.stop().then(() => process.exit(0)))
process.send?.('works')
