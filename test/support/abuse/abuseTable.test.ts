import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { brokenGuarantees, rowOf, skippedRow, withRows } from './abuseTable.ts'
import type { Attack } from './attack.ts'
import { attacks } from './attacks.ts'
import { makeMemoryGroup } from './memory.ts'
import type { Outcome } from './playAttack.ts'

const attack: Attack = { name: 'knocking', words: 'somebody knocks', kind: 'whole', play: async () => undefined }
const well: Outcome = {
  tally: { connections: 1200, openMost: 10, closed: 3, requests: 4000, answers: { 200: 7, 429: 2 } },
  requests: 600,
  refused: {},
  medianMs: 4.2,
  p99Ms: 249.4,
  longestMs: 400,
  slowest: 'GET /account',
  started: 60,
  ready: 60,
  memory: { bytes: 600 * 1024 ** 2, residentBytes: 700 * 1024 ** 2 },
  restarts: 0,
  kills: 0,
  lateMs: 3,
}

test('a row contains the numbers of the attacker and of the other team', () => {
  expect(rowOf(attack, { ...well, refused: { 429: 2, 503: 1, none: 4 } })).toBe(
    '| `knocking`: somebody knocks | 1,200; 10; 4,000 | 7 200, 2 429, 3 closed | 600, 3, 4 | 4 ms, 249 ms, 400 ms | 60, 60 | 600 MiB, 700 MiB | 0 |',
  )
})

test.each<[string, Partial<Outcome>]>([
  ['reached nothing', { tally: { ...well.tally, connections: 0 } }],
  ['1 processes ended', { restarts: 1 }],
  ['the kernel killed 2', { kills: 2 }],
  ['1025 MiB of memory', { memory: { bytes: 1025 * 1024 ** 2, residentBytes: 0 } }],
  ['refused: 2 503, 1 none', { refused: { 503: 2, none: 1 } }],
  ['a p99 of 250 ms for the other team, the longest for GET /account', { p99Ms: 250 }],
  ['3 generations of the other team did not become ready', { ready: 57 }],
])('a broken promise is reported: %s', (words, change) => {
  expect(brokenGuarantees(attack, { ...well, ...change })).toEqual([expect.stringContaining(words)])
})

test('nothing is reported when all promises hold, and a skipped attack has no minimum', () => {
  expect(brokenGuarantees(attack, well)).toEqual([])
  expect(brokenGuarantees({ ...attack, name: 'nothing' }, { ...well, tally: { ...well.tally, connections: 0 } })).toEqual([])
})

test('rows are written in the order of the attacks, and rows of removed attacks are dropped', () => {
  const before = '# Drills\n\n## The attacks\n\n| attack |\n| --- |\n| `second`: old | 1 |\n| `gone`: old | 1 |\n\nWords.\n'
  const named = ['first', 'second'].map((name) => ({ ...attack, name }))
  const once = withRows(before, new Map([['first', rowOf(named[0] ?? attack, well)]]), named)
  expect(once).toContain('\n| `first`: somebody knocks | 1,200; 10; 4,000 |')
  expect(once).toMatch(/\n\| `second`: old \| 1 \|( {2}\|)+\n\nWords\.\n$/)
  expect(once).not.toContain('gone')
  const twice = withRows(once, new Map([['second', skippedRow(named[1] ?? attack, 'no root')]]), named)
  expect(twice.match(/^\| `\w+`.*/gm)).toEqual([expect.stringContaining('`first`'), expect.stringContaining('not played: no root')])
  expect(() => withRows('# Another', new Map(), named)).toThrow(/heading/)
})

test('every attack has a unique name that fits into a row', () => {
  const names = attacks.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
  for (const each of attacks) expect(skippedRow(each, '')).toMatch(/^\| `[a-z0-9-]+`: [^|`]+ \|/)
})

test('without a memory controller there is no group, and nothing is left behind', async () => {
  const root = await mkdtemp(join(tmpdir(), 'atelier-group-'))
  onTestFinished(() => rm(root, { recursive: true }))
  expect(await makeMemoryGroup('abuse', root)).toBeUndefined()
  await writeFile(join(root, 'cgroup.controllers'), 'cpu')
  expect(await makeMemoryGroup('abuse', join(root, 'nowhere'))).toBeUndefined()
})
