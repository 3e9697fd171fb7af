import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { commands } from '../../../../clients/typescript/src/cli/commands.ts'
import { exitCodeMeanings } from '../../../../clients/typescript/src/cli/exitCodes.ts'
import { issueKey } from '../../../../src/domain/access/keys/issueKey.ts'
import { testApp } from '../../../support/app.ts'
import { aServiceContext, aTeamWithKey } from '../../../support/factories.ts'
import { blackPng } from '../../../support/media/blackPng.ts'
import { aFolder, atelierClient } from './commandRun.ts'

const app = await testApp({ worker: true })
afterAll(app.close)
const team = await aTeamWithKey(app.services)
const env = { ATELIER_URL: `${app.origin}/api/v1`, ATELIER_KEY: team.value }
const ask = async (what: string) => (await app.ask(what, { key: team.value })).body
const lines = (text: string) => text.split('\n').slice(0, -1)
const start = ['run', 'sandbox-image', '-p', 'runSeconds=120', '--no-wait', '--quiet']

test('families lists the catalog as tab-separated rows, and shows one family', async () => {
  const { items } = await ask('GET /families')
  const list = await atelierClient(['families'], { env })
  expect(lines(list.out).map((line) => line.split('\t')[0])).toEqual(items.map(({ id }) => id))
  const json = await atelierClient(['families', '--makes', 'video', '--json'], { env })
  expect(lines(json.out).map((line) => JSON.parse(line) as unknown)).toEqual((await ask('GET /families?outputType=video')).items)
  const { out } = await atelierClient(['families', 'sandbox-image'], { env })
  expect(out).toContain('--axis version=draft (default), standard, pro')
  expect(out).toContain('-p width=  integer, 64 to 2048; default: 512')
  expect(out).toContain('8 credits for each generation')
})

test('an estimate costs nothing and prints what prevents a start', async () => {
  const video = ['estimate', 'sandbox-video', 'Waves', '-p', 'durationSeconds=4', '--axis', 'mode=quality']
  const { out } = await atelierClient([...video, '--max-credits', '5'], { env })
  expect(out).toContain('20 credits  sandbox-video.text-to-video.quality')
  expect(out).toContain('would not start now: cost_above_limit')
  expect(JSON.parse((await atelierClient([...video, '--json'], { env })).out)).toMatchObject({ credits: 20, blockers: [] })
})

test('the history is printed newest first, limited by --limit', async () => {
  const prompt = 'red \u001b[31m and\nback\u202e'
  await atelierClient([...start, 'first', '--reference', 'r'], { env })
  const second = (await atelierClient([...start, prompt], { env })).out.trim()
  const one = await atelierClient(['history', '-n', '1'], { env })
  expect(one.out).toMatch(new RegExp(`^${second}\\t(queued|running)\\t.*\\tred \\\\u\\{1b\\}\\[31m and\\\\nback\\\\u\\{202e\\}\\n$`))
  const found = await atelierClient(['history', '--reference', 'r', '--status', 'active', '--json'], { env, isTerminal: true })
  expect(lines(found.out).map((line) => JSON.parse(line) as object)).toEqual([expect.objectContaining({ prompt: 'first' })])
  const seen = await atelierClient(['history', '-n', '1'], { env, isTerminal: true, columns: 100 })
  expect(seen.out).toContain('\u001b[2m')
  expect((await atelierClient(['history', '-n', '1'], { env: { ...env, NO_COLOR: '1' }, isTerminal: true })).out).not.toContain('\u001b')
})

test('a file is uploaded from a path or standard input, and can be deleted', async () => {
  const folder = await aFolder()
  const path = join(folder, 'a.png')
  await writeFile(path, blackPng({ width: 8, height: 8 }))
  const fromPath = (await atelierClient(['upload', path], { env })).out.trim()
  const fromInput = await atelierClient(['upload', '-', '--json'], { env, stdin: blackPng({ width: 8, height: 8 }) })
  expect(JSON.parse(fromInput.out)).toMatchObject({ mimeType: 'image/png' })
  expect(await atelierClient(['delete', 'file', fromPath], { env })).toMatchObject({ code: 0, out: '' })
  expect(await atelierClient(['delete', 'file', fromPath], { env })).toMatchObject({ code: 6 })
  expect(await atelierClient(['upload', path, '--type', 'image/webp'], { env })).toMatchObject({ code: 3, out: '' })
})

test('account, usage and a generation match the API', async () => {
  const { out: id } = await atelierClient([...start, 'A door'], { env })
  expect((await atelierClient(['cancel', id.trim()], { env })).out).toMatch(/ cancelled, \d credits? charged, \d credits? returned\n$/)
  for (const [argv, address] of [
    [['account'], 'GET /account'],
    [['get', id.trim()], `GET /generations/${id.trim()}`],
  ] as const) {
    expect(JSON.parse((await atelierClient([...argv, '--json'], { env })).out)).toEqual(await ask(address))
    expect((await atelierClient([...argv], { env })).code).toBe(0)
  }
  const usage = await atelierClient(['usage', '--by', 'family', '--json'], { env })
  expect(lines(usage.out).map((line) => JSON.parse(line) as unknown)).toEqual((await ask('GET /usage?by=family')).items)
  expect((await atelierClient(['usage', '--by', 'family'], { env })).out).toMatch(/^sandbox-image\t\d+\t/)
})

test('usage shows the days of one key or one family, and refuses both and other groups', async () => {
  for (const [argv, query] of [
    [['--family', 'sandbox-image'], 'familyId=sandbox-image'],
    [['--key-id', 'key_none', '--by', 'day'], 'keyId=key_none'],
  ] as const) {
    const { out } = await atelierClient(['usage', ...argv, '--json'], { env })
    expect(lines(out).map((line) => JSON.parse(line) as unknown)).toEqual((await ask(`GET /usage?${query}`)).items)
  }
  expect(await atelierClient(['usage', '--key-id', 'key_none', '--family', 'sandbox-image'], { env })).toMatchObject({ code: 2, out: '' })
  expect(await atelierClient(['usage', '--family', 'sandbox-image', '--by', 'key'], { env })).toMatchObject({ code: 2, out: '' })
})

test('each kind of refusal has its exit code, and prints its code, field and request', async () => {
  const poor = { ...env, ATELIER_KEY: (await aTeamWithKey(app.services, { credits: 0 })).value }
  const capped = { ...env, ATELIER_KEY: (await aTeamWithKey(app.services, { singleLimitCredits: 1 })).value }
  const narrow = { ...env, ATELIER_KEY: (await aTeamWithKey(app.services, { scopes: ['catalog:read'] })).value }
  const image = ['run', 'sandbox-image', 'A door']
  const cases: [number, string[], Record<string, string>][] = [
    [3, [...image, '-p', 'widht=8'], env],
    [3, ['run', 'nothing', 'A door'], env],
    [4, ['account'], { ...env, ATELIER_KEY: 'atl_wrong' }],
    [4, image, narrow],
    [5, image, poor],
    [5, [...image, '--axis', 'version=pro'], capped],
    [5, [...image, '--max-credits', '0.5'], env],
    [6, ['get', 'gen_none'], env],
    [7, ['run', 'sandbox-image', 'Another', '--idempotency-key', 'one', '--no-wait'], env],
  ]
  await atelierClient([...image, '--idempotency-key', 'one', '--no-wait'], { env })
  for (const [code, argv, each] of cases) {
    const ended = await atelierClient(argv, { env: each })
    expect([argv, ended.code, ended.out]).toEqual([argv, code, ''])
    expect(ended.words).toMatch(/\([a-z_]+\)\n[\s\S]*Request req_\w+\n/)
  }
})

test('every command has help, and the program lists all commands', async () => {
  const { code, out } = await atelierClient(['--help'])
  expect(code).toBe(0)
  for (const { name, summary, options } of commands) {
    expect(out).toContain(summary)
    const help = await atelierClient([name, '--help'])
    expect(help.code).toBe(0)
    for (const option of Object.keys(options)) expect(help.out).toContain(`--${option}`)
  }
  expect((await atelierClient([])).code).toBe(2)
  expect((await atelierClient(['--version'])).out).toMatch(/^\d+\.\d+\.\d+\n$/)
})

test('the README has every command, and every exit code in the words of the program', async () => {
  const readme = await readFile(join(import.meta.dirname, '../../../../clients/typescript/README.md'), 'utf8')
  for (const { name } of commands) expect(readme).toMatch(new RegExp(`atelier-client ${name} |\`${name}\``))
  const rows = [...readme.matchAll(/^\| (\d+) +\| (.*?) +\|$/gm)].map(([, code, meaning]) => [Number(code), meaning])
  expect(rows).toEqual(exitCodeMeanings.map((row) => [...row]))
})

test('keys and webhooks are managed with a key that may do so', async () => {
  const scopes = ['keys:write', 'webhooks:write', 'catalog:read'] as const
  const { value } = await issueKey(aServiceContext(app.services), { teamId: team.team.id, userId: team.user.id, name: 'manager', scopes })
  const own = { env: { ...env, ATELIER_KEY: value } }
  const issued = await atelierClient(
    ['keys', 'issue', 'bot', '--scope', 'catalog:read', '--daily', '5', '--expires', '2099-01-01T00:00:00Z'],
    own,
  )
  expect(issued.out).toMatch(/^atl_[0-9A-Za-z]{49}\n$/)
  const bot = lines((await atelierClient(['keys'], own)).out).map((line) => line.split('\t'))[0] ?? []
  expect(bot.slice(1, 5)).toEqual(['bot', issued.out.slice(0, 12), 'live', 'catalog:read'])
  const [id = ''] = bot
  const update = ['keys', 'update', id, '--daily', 'none', '--monthly', '7.5', '--json']
  expect(JSON.parse((await atelierClient(update, own)).out)).toMatchObject({ dailyLimitCredits: null, monthlyLimitCredits: 7.5 })
  expect((await atelierClient(['keys', 'rotate', id, '--overlap-hours', '1'], own)).out).toMatch(/^atl_/)
  expect(await atelierClient(['keys', 'revoke', id], own)).toMatchObject({ code: 0, out: '' })
  expect((await atelierClient(['keys', 'issue', 'more', '--scope', 'generations:write'], own)).code).toBe(4)
  expect((await atelierClient(['keys', 'lose', id], own)).code).toBe(2)
  expect((await atelierClient(['webhooks', '--json'], own)).out).toBe('')
  expect((await atelierClient(['webhooks', 'add', 'https://10.0.0.1/'], own)).code).toBe(3)
  expect((await atelierClient(['webhooks', 'lose', 'x'], own)).code).toBe(2)
})
