import { spawnSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

/** Sends valid and unusual requests to every operation; exits with 1 if a response was not as documented. */
const { values } = parseArgs({ options: { requests: { type: 'string', default: '50000' }, seed: { type: 'string' } } })
const seed = values.seed ?? String(randomInt(2 ** 31))
process.stdout.write(
  `${values.requests} requests for each operation; repeat with: npm run test:fuzz -- --requests ${values.requests} --seed ${seed}\n`,
)
const vitest = fileURLToPath(new URL('../../node_modules/vitest/vitest.mjs', import.meta.url))
const { status } = spawnSync(process.execPath, [vitest, 'run', '--project', 'drills', 'test/fuzz'], {
  stdio: 'inherit',
  env: { ...process.env, FUZZ_REQUESTS: values.requests, FUZZ_SEED: seed },
})
process.exitCode = status ?? 1
