import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { vendorsUnderTest } from '../../test/support/conformance/vendorsUnderTest.ts'

/** Runs the conformance suite with the connectors of the named vendors; without arguments, with all. */
const asked = process.argv.slice(2)
const known = vendorsUnderTest.map(({ vendor }) => vendor.id)
const unknown = asked.filter((id) => !known.includes(id))
if (unknown.length > 0) {
  process.stderr.write(`unknown vendors: ${unknown.join(', ')}; known: ${known.join(', ')}\n`)
  process.exit(2)
}
const vitest = fileURLToPath(new URL('../../node_modules/vitest/vitest.mjs', import.meta.url))
const names = asked.length > 0 ? ['-t', `^(${asked.join('|')}):`] : []
const { status } = spawnSync(process.execPath, [vitest, 'run', 'test/providers/conformance.test.ts', ...names], {
  stdio: 'inherit',
  env: { ...process.env, CONFORMANCE: 'whole' },
})
process.exitCode = status ?? 1
