import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test } from 'vitest'
import { relayStderr } from '../../support/processes/relayStderr.ts'

const program = `
import { waitForSignal } from ${JSON.stringify(new URL('../../../src/cli/boot/waitForSignal.ts', import.meta.url).href)}
const ending = waitForSignal()
process.stdin.on('end', () => process.exit(0)).resume()
console.log('ready')
console.log(await ending)
`

async function started() {
  const child = relayStderr(spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: ['pipe', 'pipe', 'pipe'] }))
  onTestFinished(() => void child.kill('SIGKILL'))
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const nextLine = async () => String((await lines.next()).value)
  expect(await nextLine()).toBe('ready')
  return { child, nextLine }
}

test.skipIf(process.platform === 'win32')(
  'one Ctrl-C that arrives twice, from the terminal and through npm, shuts the service down in order',
  async () => {
    const { child, nextLine } = await started()
    child.kill('SIGINT')
    expect(await nextLine()).toBe('SIGINT')
    child.kill('SIGINT')
    child.kill('SIGTERM')
    child.stdin.end()
    expect(await once(child, 'exit')).toEqual([0, null])
  },
)

test.skipIf(process.platform === 'win32')('a second Ctrl-C ends a service whose shutdown takes too long', async () => {
  const { child, nextLine } = await started()
  child.kill('SIGTERM')
  expect(await nextLine()).toBe('SIGTERM')
  const pressing = () => {
    child.kill('SIGTERM')
    return child.exitCode
  }
  await expect.poll(pressing, { interval: 50, timeout: 10_000 }).toBe(1)
})
