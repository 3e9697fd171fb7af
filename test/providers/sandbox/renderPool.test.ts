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

/** Waits until the only one of the {@link children} has been at work for 0.8 seconds: longer than it takes to start. */
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

  test('a process that is killed while it renders is replaced, and the same work succeeds with the same bytes', async () => {
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

  test('two processes at most are started, however much there is to render', async () => {
    const { sandbox } = await open({ processes: 2 })
    await Promise.all(Array.from({ length: 6 }, () => render(sandbox, smallImage)))
    expect(await children()).toHaveLength(2)
  })

  test('close ends the processes, fails what they were at, and takes no more work', async () => {
    const { sandbox } = await open()
    const collecting = sandbox.collect(output, longVideo, context())
    await busyChild()
    // Only now: of two that come together either may be first in line.
    const waiting = sandbox.collect(output, smallImage, context())
    const outcomes = Promise.allSettled([collecting, waiting])
    await sandbox.close?.()
    expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(await children()).toEqual([])
    await expect(sandbox.collect(output, smallImage, context())).rejects.toThrow('closed')
  })

  test('a render over its memory is ended as a provider failure and reported, and the service lives on', async () => {
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

test('a render over its time ends as a time-out of the model, and shorter work passes after it', async () => {
  const { sandbox, folder } = await open({ renderSecondsMax: 1 })
  expect(await sandbox.collect(output, longVideo, context())).toEqual({
    state: 'failed',
    failure: { code: 'timeout', reason: 'model_timeout' },
  })
  expect((await render(sandbox, smallImage)).mimeType).toBe('image/png')
  expect(await readdir(folder)).toEqual([])
})

test('a waiting render that is aborted leaves the line without a trace', async () => {
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

test('a signal that is aborted already starts no work', async () => {
  const { sandbox, folder } = await open()
  await expect(sandbox.collect(output, smallImage, context({ signal: AbortSignal.abort(new Error('too late')) }))).rejects.toThrow(
    'too late',
  )
  expect(await readdir(folder)).toEqual([])
})

test('many renders at once all end, and leave nothing on the disk', async () => {
  const { sandbox, folder } = await open({ processes: 2 })
  const specs = Array.from({ length: 12 }, (_, seed) => job({ parameters: { seed, width: 64, height: 64 } }))
  const images = await Promise.all(specs.map((spec) => render(sandbox, spec)))
  expect(new Set(images.map(({ bytes }) => bytes.toString('base64'))).size).toBe(12)
  expect(await readdir(folder)).toEqual([])
})

test('an input that breaks off, or cannot be opened, is no verdict on the work', async () => {
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

test('a result that nobody reads takes no room on the disk', async () => {
  const { sandbox, folder } = await open()
  const collected = await sandbox.collect(output, smallImage, context())
  expect(await readdir(folder)).toEqual([])
  if (collected.state === 'bytes') collected.stream.destroy()
})

test('rendering leaves this process free for its other work', async () => {
  const { sandbox } = await open()
  await render(sandbox, smallImage)
  const begunAt = performance.now()
  const before = process.threadCpuUsage()
  await render(sandbox, { ...longVideo, axes: { mode: 'turbo' }, parameters: { seed: 1, durationSeconds: 2 } })
  const { user, system } = process.threadCpuUsage(before)
  // Drawing here would keep this thread busy all the while, however slow the machine is.
  expect((user + system) / 1000).toBeLessThan((performance.now() - begunAt) / 3)
})

test('what a killed process left behind is cleared at the first render, and folders of others are not touched', async () => {
  const { sandbox, folder } = await open()
  const [old, fresh, foreign] = ['atelier-sandbox-old', 'atelier-sandbox-fresh', 'something-else'].map((name) => join(folder, name))
  for (const path of [old, fresh, foreign]) await mkdir(path ?? '')
  const longAgo = new Date('2020-01-01T00:00:00.000Z')
  for (const path of [old, foreign]) await utimes(path ?? '', longAgo, longAgo)
  await render(sandbox, smallImage)
  expect((await readdir(folder)).toSorted()).toEqual(['atelier-sandbox-fresh', 'something-else'])
})

test('health draws something, and says so when the machine cannot', async () => {
  const { sandbox } = await open()
  expect(await sandbox.health?.(context())).toEqual({ ok: true })
  const { sandbox: cramped } = await open({ renderSecondsMax: 0 })
  expect(await cramped.health?.(context())).toMatchObject({ ok: false })
})
