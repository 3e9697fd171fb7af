import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { testApp } from '../../../../support/app.ts'
import { aTeamWithKey } from '../../../../support/factories.ts'
import { aFolder, atelierClient } from '../commandRun.ts'

const app = await testApp()
afterAll(app.close)
const team = await aTeamWithKey(app.services)
const env = { ATELIER_URL: app.origin, ATELIER_KEY: team.value }
const lines = (text: string) => text.split('\n').slice(0, -1)
const image = (prompt: string) => ({ familyId: 'sandbox-image', prompt })

test('a batch from a file starts each item, and a repeat with its key starts nothing again', async () => {
  const path = join(await aFolder(), 'night.json')
  await writeFile(path, JSON.stringify([image('Dawn'), image('Dusk')]))
  const argv = ['batch', path, '--idempotency-key', 'night-1']
  const first = await atelierClient(argv, { env })
  expect(first).toMatchObject({ code: 0, words: '' })
  expect(first.out).toMatch(/^1\tqueued\tgen_\w+\t\d+ credits? held\n2\tqueued\tgen_\w+\t\d+ credits? held\n$/)
  const again = lines((await atelierClient([...argv, '--json'], { env })).out).map((line) => JSON.parse(line) as object)
  const ids = lines(first.out).map((line) => line.split('\t')[2])
  expect(again).toEqual(ids.map((generationId) => ({ status: 201, generation: expect.objectContaining({ generationId, replayed: true }) })))
})

test('JSON lines from standard input are answered in their places, and the exit code is the highest of the refusals', async () => {
  const items = [image('Dawn'), { familyId: 'nothing' }, 7, { ...image('Dusk'), maxCredits: 0 }]
  const stdin = `\ufeff${items.map((item) => JSON.stringify(item)).join('\r\n\n')}\n`
  const ended = await atelierClient(['batch', '-'], { env, stdin })
  expect(ended.code).toBe(5)
  expect(lines(ended.out).map((line) => line.split('\t')[1])).toEqual(['queued', 'family_not_found', 'invalid_request', 'cost_above_limit'])
  expect(ended.words).toContain('Place 2: ')
  expect((await atelierClient(['batch', '-'], { env, stdin: JSON.stringify(image('Dawn')) })).code).toBe(0)
})

test('--max-credits limits the sum, and its refusals have the exit code of credits', async () => {
  const stdin = JSON.stringify([image('Dawn'), image('Dusk')])
  const ended = await atelierClient(['batch', '-', '--max-credits', '1', '--json'], { env, stdin })
  expect(ended.code).toBe(5)
  expect(lines(ended.out).map((line) => (JSON.parse(line) as { status: number }).status)).toEqual([201, 402])
})

test.each([
  ['no argument', ['batch'], '', '<path|-> is missing'],
  ['a missing file', ['batch', '/nowhere/night.json'], '', 'does not exist'],
  ['nothing', ['batch', '-'], ' \n', 'no items'],
  ['an empty array', ['batch', '-'], '[]', 'no items'],
  ['a broken array', ['batch', '-'], '[{', 'The array is not valid JSON'],
  ['a broken line', ['batch', '-'], '{}\n{', 'Line 2 is not valid JSON'],
  ['another sum', ['batch', '-', '--max-credits', '-1'], '[{}]', 'max-credits'],
])('%s is a wrong command line', async (_what, argv, stdin, words) => {
  const ended = await atelierClient(argv, { env, stdin })
  expect(ended).toMatchObject({ code: 2, out: '' })
  expect(ended.words).toContain(words)
})

test('a refusal of the whole batch has its own exit code', async () => {
  const stdin = JSON.stringify(Array.from({ length: 51 }, () => image('Dawn')))
  expect(await atelierClient(['batch', '-'], { env, stdin })).toMatchObject({ code: 3, out: '' })
  const narrow = { ...env, ATELIER_KEY: (await aTeamWithKey(app.services, { scopes: ['catalog:read'] })).value }
  expect(await atelierClient(['batch', '-'], { env: narrow, stdin: '[{}]' })).toMatchObject({ code: 4, out: '' })
})

test('a lost answer is told with the command that never pays twice', async () => {
  const ended = await atelierClient(['batch', '-', '--idempotency-key', 'night-2'], {
    env: { ...env, ATELIER_URL: 'http://127.0.0.1:9' },
    stdin: '[{}]',
    timing: { now: () => 0, pause: async () => {}, random: () => 0 },
  })
  expect(ended.code).toBe(9)
  expect(ended.words).toContain('--idempotency-key=night-2')
})
