import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { testApp } from '../support/app.ts'
import { aTeamWithKey, type TeamWithKey } from '../support/factories.ts'
import { freePort } from '../support/processes/freePort.ts'
import { aSubscription, loopback } from '../support/webhooks/webhooks.ts'

const root = join(import.meta.dirname, '../..')
const guide = await readFile(join(root, 'docs/quickstart.md'), 'utf8')

/** The steps that are programs, as a reader runs them; the receiver is the last where there is one. */
const languages = [
  { fence: 'sh', tool: ['sh', '-eu'], ending: 'sh', needs: 'curl', steps: 3 },
  { fence: 'ts', tool: [process.execPath], ending: 'mjs', needs: process.execPath, steps: 4 },
  { fence: 'python', tool: ['python3'], ending: 'py', needs: 'python3', steps: 4 },
]
const isAtHand = (tool: string) => spawnSync(tool, ['--version']).status === 0
const blocksOf = (fence: string) => {
  const blocks = [...guide.matchAll(new RegExp(`^\`\`\`${fence}\\n(.*?)^\`\`\``, 'gms'))].map(([, block = '']) => block)
  return fence === 'sh' ? blocks.filter((block) => block.startsWith('curl')) : blocks
}

const app = await testApp({ clock: 'database', worker: true, settings: loopback })
let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quickstart-'))
  const client = join(folder, 'node_modules/@atelier/client')
  await mkdir(client, { recursive: true })
  await writeFile(join(client, 'package.json'), '{ "type": "module", "exports": "./index.js" }')
  await writeFile(join(client, 'index.js'), `export * from '${pathToFileURL(join(root, 'clients/typescript/src/index.ts')).href}'`)
})
afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
  await app.close()
})

function environment(key: string): NodeJS.ProcessEnv {
  const own = { ATELIER_URL: `${app.origin}/api/v1`, ATELIER_KEY: key, PYTHONPATH: join(root, 'clients/python') }
  return { PATH: process.env['PATH'], PYTHONDONTWRITEBYTECODE: '1', PYTHONIOENCODING: 'utf-8', ...own }
}

/** The receiver of a language on a port of its own, subscribed by the team; what it prints, once it listens. */
async function receiver(example: { command: string[]; block: string; path: string }, team: TeamWithKey): Promise<() => string> {
  const port = await freePort()
  const { signingSecret } = await aSubscription(app.services, team, `http://127.0.0.1:${port}/hook`)
  await writeFile(example.path, example.block.replace('3000', String(port)))
  const [command, ...given] = [...example.command, example.path]
  const env = { ...environment(''), WEBHOOK_SECRET: signingSecret }
  const child: ChildProcess = spawn(command, given, { env, stdio: ['ignore', 'pipe', 'ignore'] })
  onTestFinished(async () => {
    child.kill('SIGKILL')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'close')
  })
  let printed = ''
  child.stdout?.on('data', (chunk: Buffer) => (printed += chunk.toString()))
  await vi.waitFor(() => expect(printed).toBe('listening\n'), { timeout: 10_000, interval: 20 })
  return () => printed
}

test.each(languages)(
  'what the quickstart says in $fence makes a picture, a video from it, and a webhook that is verified',
  async (language) => {
    if (!isAtHand(language.needs)) return
    const { fence, tool, ending, steps } = language
    const blocks = blocksOf(fence)
    expect(blocks).toHaveLength(steps)
    const place = join(folder, fence)
    await mkdir(place)
    const team = await aTeamWithKey(app.services)
    const [cost = '', picture = '', video = '', hook] = blocks
    const heard = hook && (await receiver({ command: tool, block: hook, path: join(place, `hook.${ending}`) }, team))

    const printed: string[] = []
    for (const [index, block] of [cost, picture, video].entries()) {
      const file = join(place, `${index}.${ending}`)
      await writeFile(file, block)
      const [command, ...given] = [...tool, file]
      const child = spawn(command, given, { cwd: place, env: environment(team.value), stdio: ['ignore', 'pipe', 'pipe'] })
      const [words, complaints] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
      expect(complaints).toBe('')
      printed.push(words.trim())
    }
    expect(printed[0]).toMatch(fence === 'sh' ? /"sufficient":true/ : /^\d+ credits, covered$/)
    const ids = printed.slice(1).map((line) => /gen_\w+$/.exec(line)?.[0])
    expect((await readFile(join(place, 'picture.png'))).subarray(1, 4).toString()).toBe('PNG')
    expect((await readFile(join(place, 'video.mp4'))).subarray(4, 8).toString()).toBe('ftyp')
    if (!heard) return
    const verified = ['listening', ...ids.map((id) => `verified: generation.completed ${id}`), '']
    await vi.waitFor(() => expect(heard().split('\n')).toEqual(verified), { timeout: 10_000, interval: 20 })
  },
)
