import { mkdir, readdir, readFile, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { setInterval } from 'node:timers/promises'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { JobSpec, Output } from '../../../src/providers/provider.ts'
import type { SandboxOptions } from '../../../src/providers/sandbox/sandboxProvider.ts'
import { watchChildren } from '../../support/processes/watchChildren.ts'
import { context, input, job, openSandbox, render } from './sandboxJobs.ts'

const output: Output = { data: null }
const smallImage = job({ parameters: { width: 64, height: 64 } })
const longVideo = job({
  task: 'text-to-video',
  outputType: 'video',
  axes: { mode: 'quality' },
  parameters: { seed: 1, durationSeconds: 10 },
})

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

async function open(options: SandboxOptions = {}) {
  const opened = await openSandbox(options)
  closers.push(opened.close)
  return opened
}

let children: () => Promise<number[]>

/** Waits until the only one of the {@link children} has used 0.8 seconds of processor time, more than its start needs. */
async function busyChild(): Promise<number> {
  for await (const _ of setInterval(10)) {
    const [child] = await children()
    if (child !== undefined && (await cpuTicksOf(child)) > 80) return child
  }
  throw new Error('unreachable: the interval has no end')
}

async function cpuTicksOf(child: number): Promise<number> {
  const fields = (await readFile(`/proc/${child}/stat`, 'utf8').catch(() => '')).split(' ')
  return Number(fields[13] ?? 0) + Number(fields[14] ?? 0)
}

describe.runIf(process.platform === 'linux')('render processes', () => {
  beforeAll(async () => {
    children = await watchChildren()
  })

  test('a process killed while it renders is replaced, and the same work gives the same bytes', async () => {
    const { sandbox, folder } = await open()
    const spec = { ...longVideo, axes: { mode: 'turbo' } }
    const collecting = sandbox.collect(output, spec, context())
    process.kill(await busyChild(), 'SIGKILL')
    const collected = await collecting
    if (collected.state === 'failed') throw new Error('must succeed at the second attempt')
    expect((await buffer(collected.stream)).equals((await render(sandbox, spec)).bytes)).toBe(true)
    expect(await readdir(folder)).toEqual([])
  })

  test('an abort while rendering kills the process at once, rejects with its reason and leaves nothing behind', async () => {
    const { sandbox, folder } = await open()
    const controller = new AbortController()
    const collecting = sandbox.collect(output, longVideo, context({ signal: controller.signal }))
    const child = await busyChild()
    const reason = new Error('cancelled by the caller')
    controller.abort(reason)
    await expect(collecting).rejects.toBe(reason)
    expect(await children()).not.toContain(child)
    expect(await readdir(folder)).toEqual([])
    expect((await render(sandbox, smallImage)).mimeType).toBe('image/png')
  })

  test('at most two processes start, even with many renders', async () => {
    const { sandbox } = await open({ processes: 2 })
    await Promise.all(Array.from({ length: 6 }, () => render(sandbox, smallImage)))
    expect(await children()).toHaveLength(2)
  })

  test('close ends the processes, fails their renders, and accepts no more work', async () => {
    const { sandbox } = await open()
    const collecting = sandbox.collect(output, longVideo, context())
    await busyChild()
    // Wait first: two concurrent renders can be queued in either order.
    const waiting = sandbox.collect(output, smallImage, context())
    const outcomes = Promise.allSettled([collecting, waiting])
    await sandbox.close?.()
    expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(await children()).toEqual([])
    await expect(sandbox.collect(output, smallImage, context())).rejects.toThrow('closed')
  })

  test('a render over its memory limit fails as a provider failure and is reported, and the service continues', async () => {
    const faults: string[] = []
    const { sandbox, folder } = await open({ memoryBytesMax: 150_000_000, onFault: (message) => faults.push(message) })
    expect(await sandbox.collect(output, longVideo, context())).toEqual({
      state: 'failed',
      failure: { code: 'provider_error', reason: 'provider_failed' },
    })
    expect(faults).toEqual([expect.stringMatching(/^text-to-video: the worker ended with SIGUSR2$/)])
    expect(await readdir(folder)).toEqual([])
  })
})

test('a render over its time limit fails as a model timeout, and shorter work succeeds after it', async () => {
  const { sandbox, folder } = await open({ renderSecondsMax: 1 })
  expect(await sandbox.collect(output, longVideo, context())).toEqual({
    state: 'failed',
    failure: { code: 'timeout', reason: 'model_timeout' },
  })
  expect((await render(sandbox, smallImage)).mimeType).toBe('image/png')
  expect(await readdir(folder)).toEqual([])
})

test('an aborted waiting render leaves the queue without a trace', async () => {
  const { sandbox, folder } = await open()
  const controller = new AbortController()
  const first = render(sandbox, smallImage)
  const waiting = sandbox.collect(output, smallImage, context({ signal: controller.signal }))
  const third = render(sandbox, smallImage)
  controller.abort(new Error('no longer wanted'))
  await expect(waiting).rejects.toThrow('no longer wanted')
  expect((await first).bytes.equals((await third).bytes)).toBe(true)
  expect(await readdir(folder)).toEqual([])
})

test('an already aborted signal starts no work', async () => {
  const { sandbox, folder } = await open()
  await expect(sandbox.collect(output, smallImage, context({ signal: AbortSignal.abort(new Error('too late')) }))).rejects.toThrow(
    'too late',
  )
  expect(await readdir(folder)).toEqual([])
})

test('many concurrent renders all end, and leave nothing on the disk', async () => {
  const { sandbox, folder } = await open({ processes: 2 })
  const specs = Array.from({ length: 12 }, (_, seed) => job({ parameters: { seed, width: 64, height: 64 } }))
  const images = await Promise.all(specs.map((spec) => render(sandbox, spec)))
  expect(new Set(images.map(({ bytes }) => bytes.toString('base64'))).size).toBe(12)
  expect(await readdir(folder)).toEqual([])
})

test('an input that breaks off or cannot be opened rejects, and does not fail the work', async () => {
  const { sandbox, folder } = await open()
  const broken = () =>
    Readable.from(
      (async function* () {
        yield Buffer.alloc(100)
        throw new Error('storage went away')
      })(),
    )
  const withInput = (open: () => Promise<Readable>): JobSpec => job({ task: 'image-to-image', inputs: [input(Buffer.alloc(0), { open })] })
  await expect(
    sandbox.collect(
      output,
      withInput(async () => broken()),
      context(),
    ),
  ).rejects.toThrow('storage went away')
  await expect(
    sandbox.collect(
      output,
      withInput(() => Promise.reject(new Error('no object'))),
      context(),
    ),
  ).rejects.toThrow('no object')
  expect(await readdir(folder)).toEqual([])
})

test('an abort while the result is being read ends the stream', async () => {
  const { sandbox } = await open()
  const controller = new AbortController()
  const collected = await sandbox.collect(output, smallImage, context({ signal: controller.signal }))
  if (collected.state === 'failed') throw new Error('must succeed')
  controller.abort()
  await expect(buffer(collected.stream)).rejects.toThrow('abort')
})

test('an unread result takes no space on the disk', async () => {
  const { sandbox, folder } = await open()
  const collected = await sandbox.collect(output, smallImage, context())
  expect(await readdir(folder)).toEqual([])
  if (collected.state === 'bytes') collected.stream.destroy()
})

test('rendering does not block this process', async () => {
  const { sandbox } = await open()
  await render(sandbox, smallImage)
  const begunAt = performance.now()
  const before = process.threadCpuUsage()
  await render(sandbox, { ...longVideo, axes: { mode: 'turbo' }, parameters: { seed: 1, durationSeconds: 2 } })
  const { user, system } = process.threadCpuUsage(before)
  // Rendering in this process would block this thread on any machine.
  expect((user + system) / 1000).toBeLessThan((performance.now() - begunAt) / 3)
})

test('the first render deletes leftovers of killed processes, and no other folders', async () => {
  const { sandbox, folder } = await open()
  const [old, fresh, foreign] = ['atelier-sandbox-old', 'atelier-sandbox-fresh', 'something-else'].map((name) => join(folder, name))
  for (const path of [old, fresh, foreign]) await mkdir(path ?? '')
  const longAgo = new Date('2020-01-01T00:00:00.000Z')
  for (const path of [old, foreign]) await utimes(path ?? '', longAgo, longAgo)
  await render(sandbox, smallImage)
  expect((await readdir(folder)).toSorted()).toEqual(['atelier-sandbox-fresh', 'something-else'])
})

test('health renders a picture, and reports a failure', async () => {
  const { sandbox } = await open()
  expect(await sandbox.health?.(context())).toEqual({ ok: true })
  const { sandbox: cramped } = await open({ renderSecondsMax: 0 })
  expect(await cramped.health?.(context())).toMatchObject({ ok: false })
})
