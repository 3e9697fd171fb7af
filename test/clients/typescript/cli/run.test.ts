import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { testApp } from '../../../support/app.ts'
import { aTeamWithKey } from '../../../support/factories.ts'
import { blackPng } from '../../../support/media/blackPng.ts'
import { aFolder, atelierClient } from './commandRun.ts'

const app = await testApp({ worker: true })
afterAll(app.close)
const env = { ATELIER_URL: app.origin, ATELIER_KEY: (await aTeamWithKey(app.services)).value }
const small = ['-p', 'width=64', '-p', 'height=64']
const picture = ['run', 'sandbox-image', 'A door', ...small]

const isPng = (bytes: Buffer) => bytes.subarray(1, 4).toString() === 'PNG'
const newest = async () => (await app.ask('GET /generations?limit=1', { key: env.ATELIER_KEY })).body.items[0]

test('a run saves its file and prints only the path; messages go to standard error', async () => {
  const path = join(await aFolder(), 'out.png')
  const { code, out, words } = await atelierClient([...picture, '-o', path], { env })
  expect([code, out]).toEqual([0, `${path}\n`])
  expect(isPng(await readFile(path))).toBe(true)
  expect(words).toMatch(/^gen_\w+ started, 1 credit held\n[\s\S]*: 64 × 64, image\/png, .*1 credit\n$/)
})

test('without -o the link is printed, and --json prints the generation in one line', async () => {
  const link = await atelierClient([...picture, '--quiet'], { env })
  expect(link).toMatchObject({ code: 0, words: '' })
  expect(isPng(Buffer.from(await (await fetch(link.out.trim())).arrayBuffer()))).toBe(true)
  const { out } = await atelierClient([...picture, '--json'], { env })
  const { body } = await app.ask(`GET /generations/${(await newest())?.generationId}`, { key: env.ATELIER_KEY })
  expect(out.split('\n')).toHaveLength(2)
  const links = { url: expect.any(String), urlExpiresAt: expect.any(String) }
  expect(JSON.parse(out)).toEqual({ ...body, result: { ...body.result, ...links } })
})

test('-o - writes the bytes, and a folder gets the file under its own name', async () => {
  const { bytes } = await atelierClient([...picture, '-o', '-'], { env })
  expect(isPng(bytes)).toBe(true)
  const folder = await aFolder()
  const { out } = await atelierClient([...picture, '-o', folder], { env })
  expect(await readdir(folder)).toEqual([`${(await newest())?.generationId}.png`])
  expect(out.trim()).toBe(join(folder, `${(await newest())?.generationId}.png`))
})

test('a run whose result could not be saved is not started', async () => {
  const folder = await aFolder()
  const taken = join(folder, 'taken.png')
  await writeFile(taken, 'mine')
  await mkdir(join(folder, 'sub'))
  const before = (await newest())?.generationId
  const attempts = [taken, join(folder, 'none/out.png'), join(folder, 'none/'), '/dev/null'].map((path) => ['-o', path])
  for (const options of [...attempts, ['-o', taken, '--no-wait'], ['-o', '-', '--json'], ['--image', 'none.png'], ['--image', folder]]) {
    expect(await atelierClient([...picture, ...options], { env })).toMatchObject({ code: 2, out: '' })
  }
  expect((await newest())?.generationId).toBe(before)
  expect(await readFile(taken, 'utf8')).toBe('mine')
  const { code } = await atelierClient([...picture, '-o', taken, '--force'], { env })
  expect([code, isPng(await readFile(taken))]).toEqual([0, true])
  expect((await readdir(folder)).toSorted()).toEqual(['sub', 'taken.png'])
})

test('parameters get the types of the variant, and every field of a request has an option', async () => {
  const folder = await aFolder()
  const path = join(folder, 'first.png')
  await writeFile(path, blackPng({ width: 64, height: 48 }))
  const more = [
    '--axis',
    'version=standard',
    '-p',
    'seed:=7',
    '--image',
    path,
    '--image',
    path,
    '--reference',
    'order 1',
    '--metadata',
    'a=b=c',
  ]
  const { code, out, words } = await atelierClient([...picture, ...more, '--no-wait'], { env })
  expect(code).toBe(0)
  const [, fileId] = /is (file_\w+)/.exec(words) ?? []
  expect(await newest()).toMatchObject({
    generationId: out.trim(),
    axes: { version: 'standard' },
    parameters: { width: 64, height: 64, seed: 7 },
    inputs: { imageIds: [fileId, fileId] },
    reference: 'order 1',
    metadata: { a: 'b=c' },
  })
  const model = ['--model', 'sandbox-video.image-to-video.turbo', '--image', out.trim(), '-p', 'durationSeconds=1']
  const video = await atelierClient(['run', 'sandbox-video', '-', ...model, '--json', '--no-wait'], { env, stdin: 'It moves\n' })
  const parameters = { durationSeconds: 1 }
  expect(JSON.parse(video.out)).toMatchObject({ replayed: false, prompt: 'It moves', parameters, inputs: { imageIds: [out.trim()] } })
})

test('a failed generation has exit code 1, prints the failure and writes no file', async () => {
  const folder = await aFolder()
  const failing = [...picture, '-p', 'outcome=prompt_validation/prompt_failed', '-o', join(folder, 'out.png')]
  const { code, out, words } = await atelierClient(failing, { env })
  expect([code, out]).toEqual([1, ''])
  expect(words).toContain('(prompt_validation/prompt_failed)')
  expect(await readdir(folder)).toEqual([])
})

test('the same idempotency key gives one generation, paid once', async () => {
  const once = [...picture, '--idempotency-key', 'once', '--no-wait']
  const first = await atelierClient(once, { env })
  expect(await atelierClient(once, { env })).toMatchObject({ code: 0, out: first.out })
})

test('Ctrl-C ends the waiting and prints how to continue; the generation continues', async () => {
  const long = ['run', 'sandbox-image', 'A door', '-p', 'runSeconds=120', '-o', 'it is.png']
  const { code, words } = await atelierClient(long, { env, onWords: (text, keys) => void (text.includes('started') && keys.press()) })
  const id = (await newest())?.generationId
  expect(code).toBe(130)
  expect(words).toContain(`  atelier-client wait ${id} -o 'it is.png'\n  atelier-client cancel ${id}\n`)
  expect(['queued', 'running']).toContain((await newest())?.state)
  expect(await atelierClient(['wait', id ?? '', '--timeout', '0'], { env })).toMatchObject({ code: 10 })
  expect(await atelierClient(['get', id ?? '', '-o', '-'], { env })).toMatchObject({ code: 10, out: '' })
  expect(await atelierClient(['cancel', id ?? ''], { env })).toMatchObject({ code: 0, out: expect.stringContaining('cancelled') })
  expect(await atelierClient(['wait', id ?? ''], { env })).toMatchObject({ code: 1 })
})

test('with --cancel-on-interrupt Ctrl-C cancels', async () => {
  const long = ['run', 'sandbox-image', 'A door', '-p', 'runSeconds=120', '--cancel-on-interrupt']
  const { code, words } = await atelierClient(long, { env, onWords: (text, keys) => void (text.includes('started') && keys.press()) })
  expect(code).toBe(130)
  expect(words).toMatch(/gen_\w+ is cancelled, \d credits? charged\.\n$/)
  expect((await newest())?.state).toBe('cancelled')
})

test('a terminal gets a progress line, and a pipe does not', async () => {
  const seen = await atelierClient(picture, { env, isTerminal: true })
  expect(seen.words).toContain('\r\u001b[K')
  expect(seen.out).toMatch(/^http\S+\n$/)
})
