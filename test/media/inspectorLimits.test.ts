import { execFileSync, spawn } from 'node:child_process'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import type { Inspector, InspectorOptions } from '../../src/media/inspector.ts'
import { blackPng } from '../support/media/blackPng.ts'
import { hostileFiles } from '../support/media/hostileFiles.ts'
import { anInspector } from '../support/media/inspector.ts'
import { type MediaFolder, makeMediaFolder } from '../support/media/mediaFolder.ts'
import { sampleFile } from '../support/media/sampleFile.ts'

let folder: MediaFolder
let good: string
let endless: string
beforeAll(async () => {
  folder = await makeMediaFolder()
  good = await folder.write(await sampleFile('png'))
  endless = await folder.write(await hostile('an MP4 whose chunks hold as many samples'))
})
afterAll(() => folder.remove())

async function hostile(name: string): Promise<Buffer> {
  const make = hostileFiles[name]
  if (make === undefined) throw new Error(`no hostile file: ${name}`)
  return make()
}

function openInspector(options: Partial<InspectorOptions> = {}): Inspector {
  const inspector = anInspector({ processes: 1, ...options })
  onTestFinished(() => inspector.close())
  return inspector
}

/** Process ids of the running children of this process. */
function children(parent = process.pid): number[] {
  try {
    return execFileSync('pgrep', ['-P', String(parent)], { encoding: 'utf8' })
      .trim()
      .split('\n')
      .map(Number)
  } catch {
    return []
  }
}

const unavailable = { name: 'WorkersUnavailable' }

test('no process starts before the first file, and none is left after close', async () => {
  const before = children()
  const inspector = openInspector({ processes: 2 })
  expect(children()).toEqual(before)
  await Promise.all([inspector.inspect(good), inspector.inspect(good), inspector.inspect(good)])
  expect(children().length - before.length).toBe(2)
  await inspector.close()
  expect(children()).toEqual(before)
})

test('a file over the time limit fails, and a new process inspects the next ones', async () => {
  const inspector = openInspector({ secondsMax: 0.5 })
  await inspector.inspect(good)
  const started = performance.now()
  expect(await inspector.inspect(endless)).toEqual({ ok: false, refusal: 'file_processing_failed', cause: 'timed_out' })
  expect(performance.now() - started).toBeLessThan(8000)
  expect(await inspector.inspect(good)).toMatchObject({ ok: true })
})

test('a second process starts while a file takes long', async () => {
  const before = children()
  const inspector = openInspector({ processes: 2, secondsMax: 4 })
  await inspector.inspect(good)
  const given = inspector.inspect(endless)
  await vi.waitFor(() => expect(children().length - before.length).toBe(2), { timeout: 3900 })
  expect(await inspector.inspect(good)).toMatchObject({ ok: true })
  expect(await given).toMatchObject({ ok: false })
})

test('content that fills the heap fails', async () => {
  const inspector = openInspector()
  const greedy = await folder.write(await hostile('an MP4 whose durations and offsets count as many'))
  const before = process.memoryUsage.rss()
  expect(await inspector.inspect(greedy)).toMatchObject({ ok: false, cause: expect.stringMatching(/^(out_of_memory|timed_out)$/) })
  expect(await inspector.inspect(good)).toMatchObject({ ok: true })
  expect(process.memoryUsage.rss() - before).toBeLessThan(50_000_000)
})

test('a picture over the memory limit of the decoder fails', async () => {
  const inspector = openInspector({ memoryBytesMax: 160_000_000, secondsMax: 20 })
  const large = await folder.write(blackPng({ width: 10_000, height: 10_000, interlaced: true }))
  expect(await inspector.inspect(large)).toEqual({ ok: false, refusal: 'file_processing_failed', cause: 'out_of_memory' })
  expect(await inspector.inspect(good)).toMatchObject({ ok: true })
})

test('a process killed during a file fails it, and an idle process that is killed has no effect', async () => {
  const before = children()
  const inspector = openInspector()
  await inspector.inspect(good)
  const [child = 0] = children().filter((id) => !before.includes(id))
  const answer = inspector.inspect(endless)
  process.kill(child, 'SIGSEGV')
  expect(await answer).toMatchObject({ ok: false, cause: 'crashed' })

  await inspector.inspect(good)
  const [next = 0] = children().filter((id) => !before.includes(id))
  process.kill(next, 'SIGKILL')
  await vi.waitFor(() => expect(children()).not.toContain(next))
  expect(await inspector.inspect(good)).toMatchObject({ ok: true })
})

test('a signal to the whole process group fails no file', async () => {
  const before = children()
  const inspector = openInspector()
  await inspector.inspect(good)
  for (const id of children().filter((child) => !before.includes(child))) {
    process.kill(id, 'SIGTERM')
    process.kill(id, 'SIGINT')
  }
  expect(await inspector.inspect(good)).toMatchObject({ ok: true })
})

test('a process is replaced after its limit of files', async () => {
  const before = children()
  const inspector = openInspector({ filesPerProcess: 2 })
  const own = () => children().filter((id) => !before.includes(id))
  await inspector.inspect(good)
  const first = own()
  await inspector.inspect(good)
  await inspector.inspect(good)
  await vi.waitFor(() => expect(own()).toHaveLength(1))
  expect(own()).not.toEqual(first)
})

test('a machine that cannot start processes is reported as unavailable', async () => {
  const inspector = openInspector({ memoryBytesMax: 1 })
  const answers = await Promise.allSettled([inspector.inspect(good), inspector.inspect(good), inspector.inspect(good)])
  for (const answer of answers) expect(answer).toMatchObject({ status: 'rejected', reason: unavailable })
})

test('owners are served in turn: one file does not wait for all files of another owner', async () => {
  const inspector = openInspector()
  const order: string[] = []
  const inspectFor = async (owner: string) => {
    await inspector.inspect(good, { owner })
    order.push(owner)
  }
  await Promise.all([inspectFor('many'), inspectFor('many'), inspectFor('many'), inspectFor('many'), inspectFor('one'), inspectFor('two')])
  expect(order).toEqual(['many', 'one', 'two', 'many', 'many', 'many'])
})

test('files beyond the queue limit or the wait limit are refused', async () => {
  const inspector = openInspector({ secondsMax: 1, waitingMax: 2, waitSecondsMax: 0.3 })
  // The first process start may take longer than the wait limit of this test.
  await vi.waitFor(() => inspector.inspect(good), { timeout: 10_000 })
  const running = inspector.inspect(endless)
  const waiting = Promise.allSettled([inspector.inspect(good), inspector.inspect(good)])
  await expect(inspector.inspect(good)).rejects.toMatchObject(unavailable)
  for (const answer of await waiting) expect(answer).toMatchObject({ status: 'rejected', reason: unavailable })
  expect(await running).toMatchObject({ cause: 'timed_out' })
})

test('an abort rejects at once and removes the file from the queue', async () => {
  const inspector = openInspector({ waitingMax: 1, secondsMax: 1 })
  await inspector.inspect(good)
  const caller = new AbortController()
  const running = inspector.inspect(endless, { signal: caller.signal })
  const waiting = inspector.inspect(good, { signal: caller.signal })
  caller.abort(new Error('gone'))
  await expect(running).rejects.toThrow('gone')
  await expect(waiting).rejects.toThrow('gone')
  expect(await inspector.inspect(good)).toMatchObject({ ok: true })
  await expect(inspector.inspect(good, { signal: caller.signal })).rejects.toThrow('gone')
})

test('close refuses running and waiting files', async () => {
  const inspector = openInspector()
  await inspector.inspect(good)
  const open = Promise.allSettled([inspector.inspect(endless), inspector.inspect(good)])
  await inspector.close()
  for (const answer of await open) expect(answer).toMatchObject({ status: 'rejected', reason: unavailable })
  await expect(inspector.inspect(good)).rejects.toMatchObject(unavailable)
})

test('a process that is busy when its parent exits ends itself', async () => {
  const module = new URL('../../src/media/inspector.ts', import.meta.url)
  const script = `
    import { makeInspector } from ${JSON.stringify(module.href)}
    const inspector = makeInspector({ imagePixelsMax: 1e8, processes: 1, secondsMax: 0.5 })
    await inspector.inspect(${JSON.stringify(good)})
    void inspector.inspect(${JSON.stringify(endless)})
    process.stdout.write('busy')
    setTimeout(() => undefined, 60_000)`
  const parent = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'ignore'] })
  onTestFinished(() => void parent.kill('SIGKILL'))
  await new Promise((resolve) => parent.stdout.once('data', resolve))
  const [child = 0] = children(parent.pid)
  parent.kill('SIGKILL')
  await vi.waitFor(() => expect(() => process.kill(child, 0)).toThrow('ESRCH'), { timeout: 10_000 })
})
