import { spawnSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

/** Runs the tests three times, each time with its files in another random order. Exits with 1 if a test depends on the order. */
const { values } = parseArgs({ options: { runs: { type: 'string', default: '3' }, seed: { type: 'string' } } })
const vitest = fileURLToPath(new URL('../../node_modules/vitest/vitest.mjs', import.meta.url))
for (let run = 0; run < Number(values.runs); run += 1) {
  const seed = values.seed ?? String(randomInt(1, 2 ** 31))
  process.stdout.write(`Order ${seed}; repeat with: npm run test:order -- --runs 1 --seed ${seed}\n`)
  const env = { ...process.env, TEST_ORDER: seed }
  const { status } = spawnSync(process.execPath, [vitest, 'run', '--project', '!drills'], { stdio: 'inherit', env })
  if (status !== 0) process.exitCode = 1
}
