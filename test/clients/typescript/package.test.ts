import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { makeWebhookSecret, signWebhook } from '../../../src/secrets/signWebhook.ts'
import { testApp } from '../../support/app.ts'
import { aTeamWithKey } from '../../support/factories.ts'
import { blackPng } from '../../support/media/blackPng.ts'
import { clientSource, compilerErrors, installedPackage } from './installedPackage.ts'

const run = promisify(execFile)

const app = await testApp({ worker: true })
afterAll(app.close)
const { value: key } = await aTeamWithKey(app.services)

/** A foreign program with the built package installed. */
let folder = ''
let examples: string[] = []

beforeAll(async () => {
  folder = (await installedPackage()).folder
  const blocks = [...(await readFile(join(clientSource, 'README.md'), 'utf8')).matchAll(/^```ts\n([\s\S]*?)^```$/gm)]
  examples = blocks.map(([, text = '']) => text)
  await Promise.all(examples.map((text, index) => writeFile(join(folder, `example${index}.ts`), text)))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Starts the example of the README that contains the text. `env` is its whole environment. */
function start(words: string, env: Record<string, string> = {}): ChildProcess {
  const index = examples.findIndex((text) => text.includes(words))
  const child = spawn(process.execPath, [`example${index}.ts`], {
    cwd: folder,
    env: { ATELIER_URL: app.origin, ATELIER_KEY: key, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => void child.kill())
  return child
}

async function outputOf(child: ChildProcess): Promise<string[]> {
  let text = ''
  child.stdout?.on('data', (chunk: Buffer) => (text += chunk.toString()))
  child.stderr?.on('data', (chunk: Buffer) => (text += chunk.toString()))
  await once(child, 'close')
  return text.trimEnd().split('\n')
}

test('the examples of the README fit the types of the built package', async () => {
  expect(examples).toHaveLength(10)
  expect(await compilerErrors(folder, ['*.ts'])).toBe('')
})

test('the package has no dependencies, and its modules import only each other and built-in modules', async () => {
  const manifest = JSON.parse(await readFile(join(clientSource, 'package.json'), 'utf8')) as Record<string, unknown>
  expect(Object.keys(manifest).filter((name) => /dependencies/i.test(name))).toEqual([])
  const dist = join(folder, 'node_modules/@atelier/client/dist/esm')
  const files = (await readdir(dist, { recursive: true })).filter((name) => name.endsWith('.js') && !name.startsWith('cli/'))
  const imported = await Promise.all(
    files.map(async (file) => {
      const text = await readFile(join(dist, file), 'utf8')
      return [...text.matchAll(/(?:from |import\()'([^']+)'/g)].map(([, name = '']) =>
        name.startsWith('.') ? join(file, '..', name) : name,
      )
    }),
  )
  const foreign = imported.flat().filter((name) => !files.includes(name))
  // These two are imported only for files on a disk.
  expect(new Set(foreign)).toEqual(new Set(['node:fs/promises', 'node:path']))
})

test('the package contains the program, the types and the documents, and nothing else', async () => {
  const installed = join(folder, 'node_modules/@atelier/client')
  const entries = await readdir(installed, { recursive: true, withFileTypes: true })
  const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => relative(installed, join(parentPath, name)))
  expect(paths.filter((path) => !path.startsWith('dist/')).toSorted()).toEqual(['CHANGELOG.md', 'LICENSE', 'README.md', 'package.json'])
  const entryPoints = ['esm', 'cjs'].flatMap((kind) =>
    ['index.js', 'index.js.map', 'index.d.ts', 'package.json'].map((name) => `dist/${kind}/${name}`),
  )
  expect(paths).toEqual(expect.arrayContaining([...entryPoints, 'dist/esm/cli/atelierClient.js']))
  expect(paths.filter((path) => path.startsWith('dist/') && !/(\.js|\.js\.map|\.d\.ts|\/package\.json)$/.test(path))).toEqual([])
  const { version } = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8')) as { version: string }
  expect(await readFile(join(clientSource, 'CHANGELOG.md'), 'utf8')).toContain(`\n## ${version}\n`)
})

test('the example of a run makes its image', async () => {
  expect(await outputOf(start('lighthouse.png'))).toEqual(['512 × 512 for 1 credits'])
  expect((await readFile(join(folder, 'lighthouse.png'))).subarray(1, 4).toString()).toBe('PNG')
})

test('the example of the catalog prints families and a cost', async () => {
  expect(await outputOf(start('atelier.families('))).toEqual([
    'Sandbox Clip: from 1 credits',
    'Sandbox Video: from 1 credits',
    '20 credits, covered',
  ])
})

test('the example of inputs makes a video from two uploads', async () => {
  await writeFile(join(folder, 'first-frame.png'), blackPng({ width: 64, height: 48 }))
  expect(await outputOf(start('first-frame.png'))).toEqual(['video/mp4'])
})

test('the example of starting once starts once', async () => {
  expect(await outputOf(start('order-4711'))).toEqual(['true true', 'ready'])
})

test('the example of progress follows the generation to its end', async () => {
  const lines = await outputOf(start('atelier.events('))
  expect(lines.at(-1)).toBe('ready')
  expect(new Set(lines).size).toBe(lines.length)
})

test('the example of deleting keeps the record without a link', async () => {
  await writeFile(join(folder, 'first-frame.png'), blackPng({ width: 64, height: 48 }))
  const other = await aTeamWithKey(app.services)
  expect(await outputOf(start('deleteResult(', { ATELIER_KEY: other.value }))).toEqual(['ready', 'null is gone'])
})

test('the example of errors catches its error', async () => {
  expect(await outputOf(start('CostAboveLimit'))).toEqual(['It would cost 8'])
})

test('the example of the history prints a sum', async () => {
  const other = await aTeamWithKey(app.services)
  expect(await outputOf(start('so far', { ATELIER_KEY: other.value }))).toEqual(['0 credits so far'])
})

test('the example of options of a call prints a header', async () => {
  expect(await outputOf(start('withResponse('))).toEqual([expect.stringMatching(/ \d+$/)])
})

test('the example of webhooks accepts each signed event once and refuses the rest', async () => {
  const secret = makeWebhookSecret()
  const child = start('verifyWebhook({', { WEBHOOK_SECRETS: `${makeWebhookSecret()} ${secret}`, PORT: '0' })
  const lines = createInterface({ input: child.stdout as Readable })[Symbol.asyncIterator]()
  const port = /port: (\d+)/.exec((await lines.next()).value ?? '')?.[1]
  const body = Buffer.from(JSON.stringify({ id: 'evt_1', event: 'generation.failed', data: { generation: { generationId: 'gen_1' } } }))
  const signature = signWebhook({ secrets: [secret], body, timestampSeconds: Math.floor(Date.now() / 1000), id: 'evt_1' })
  const send = async (content: Buffer) => {
    const { status } = await fetch(`http://127.0.0.1:${port}/`, {
      method: 'POST',
      headers: { ...signature },
      body: new Uint8Array(content),
    })
    return status
  }
  expect([await send(body), await send(body), await send(Buffer.from('{}'))]).toEqual([204, 204, 400])
  expect((await lines.next()).value).toBe('generation.failed gen_1')
  child.kill()
  expect((await lines.next()).done).toBe(true)
})

test('the command of the installed package makes an image and returns its exit codes', async () => {
  const program = join(folder, 'node_modules/.bin/atelier-client')
  const options = { cwd: folder, env: { PATH: process.env['PATH'], ATELIER_URL: app.origin, ATELIER_KEY: key } }
  const { stdout } = await run(program, ['run', 'sandbox-image', 'A lighthouse', '-p', 'width=64', '-o', 'command.png'], options)
  expect(stdout).toBe('command.png\n')
  expect((await readFile(join(folder, 'command.png'))).subarray(1, 4).toString()).toBe('PNG')
  await expect(run(program, ['get', 'gen_none'], options)).rejects.toMatchObject({ code: 6, stdout: '' })
})
