import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test } from 'vitest'
import { relayStderr } from '../../support/processes/relayStderr.ts'

const address = (file: string) => JSON.stringify(new URL(`../../../src/cli/boot/${file}`, import.meta.url).href)

/** Each look at its clock is ten seconds later. */
const program = `
import { endWithLauncher } from ${address('endWithLauncher.ts')}
import { waitForSignal } from ${address('waitForSignal.ts')}
let now = 0
performance.now = () => (now += 10_000)
endWithLauncher()
const ending = waitForSignal()
process.once('disconnect', () => console.log('alone'))
process.stdin.on('end', () => process.exit(0)).resume()
console.log('ready')
console.log(await ending)
`

async function started() {
  const child = relayStderr(spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: ['pipe', 'pipe', 'pipe', 'ipc'] }))
  onTestFinished(() => void child.kill('SIGKILL'))
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream })[Symbol.asyncIterator]()
  const nextLine = async () => String((await lines.next()).value)
  expect(await nextLine()).toBe('ready')
  return { child, nextLine }
}

test('the end of the launcher begins a shutdown', async () => {
  const { child, nextLine } = await started()
  child.disconnect()
  expect([await nextLine(), await nextLine()].toSorted()).toEqual(['SIGTERM', 'alone'])
  child.stdin?.end()
  expect(await once(child, 'exit')).toEqual([0, null])
})

test.skipIf(process.platform === 'win32')('a shutdown under way goes on when the launcher is killed', async () => {
  const { child, nextLine } = await started()
  child.kill('SIGTERM')
  expect(await nextLine()).toBe('SIGTERM')
  child.disconnect()
  expect(await nextLine()).toBe('alone')
  child.stdin?.end()
  expect(await once(child, 'exit')).toEqual([0, null])
})
