import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { testDatabase } from '../support/database/database.ts'
import { killPoints } from '../support/vendor/killPoints.ts'
import { playKillPoint } from '../support/vendor/playKillPoint.ts'

const database = await testDatabase()
const folder = await mkdtemp(join(tmpdir(), 'atelier-kills-'))
afterAll(async () => {
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})

/** `test/rest/following.test.ts` loses a notice. */
test('each line of the table of kills is played, except a lost notice', async () => {
  const page = await readFile(new URL('../../docs/decisions/0035-one-job-for-steps-that-are-due.md', import.meta.url), 'utf8')
  const [, table = ''] = page.split('| killed | repeated | not repeated |')
  const lines = [...(table.split('\n\n')[0] ?? '').matchAll(/^\| ([a-z][^|]*) \|/gm)].map(([, line]) => line)
  expect(lines.filter((line) => !killPoints.some(({ name }) => name === line))).toEqual(['before a notice is sent'])
})

/** `npm run test:faults -- --only points` plays all of them. */
const some = ['while the vendor answers the submit', 'after the outputs are committed', 'after the end is committed']

test.each(killPoints.filter(({ name }) => some.includes(name)))(
  'a worker killed $name: nothing is lost, submitted anew, charged or told twice',
  { timeout: 240_000 },
  async (point) => {
    const { name } = point
    const { submits, polls, fetches } = point.expected
    const { fetches: fetched, ...report } = await playKillPoint(point, { databaseUrl: database.url, folder })
    expect(report).toEqual({ name, state: 'ready', submits, polls, accepted: 1, charges: 1, events: 1, jobsLeft: 0, faults: [] })
    expect(fetched).toBeGreaterThanOrEqual(fetches)
  },
)
