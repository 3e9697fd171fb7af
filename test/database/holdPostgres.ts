import { startEmbeddedPostgres } from '../../src/database/embedded/embeddedPostgres.ts'

/**
 * A program: runs the database of the folder in its argument until it is killed, and survives Ctrl-C, as the service does while it shuts
 * down. Prints the URL, then `interrupted` for each Ctrl-C; or the reason why it could not start.
 */
process.on('SIGINT', () => console.log('interrupted'))
const quiet = { debug() {}, info() {}, warn() {}, error() {} }
try {
  const { url } = await startEmbeddedPostgres({ folder: process.argv[2] ?? '', settings: { fsync: 'off' }, log: quiet })
  console.log(url)
} catch (error) {
  console.log((error as Error).message)
  process.exitCode = 1
}
