import { execFileSync, fork } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'

/** The escape attempts of hostile code in a worker. */
export type EscapeTargets = { file: string; folder: string; port: number; socketPath: string }

/** The outcome of each attempt: its result, or the error code. */
export type EscapeResults = Record<string, string>

const tries: Record<string, (task: EscapeTargets) => unknown> = {
  'read the file': ({ file }) => readFileSync(file, 'utf8'),
  'read the file by a relative path': ({ file }) => readFileSync(`..${file.slice(file.lastIndexOf('/'))}`, 'utf8'),
  'list the folder': ({ folder }) => readdirSync(folder).join(),
  'read the environment of the parent': () => readFileSync(`/proc/${process.ppid}/environ`, 'utf8'),
  'read its initial environment': () => readFileSync('/proc/self/environ', 'utf8'),
  'write outside its folder': ({ folder }) => writeFileSync(`${folder}/mine`, 'x'),
  'create a link': ({ file }) => symlinkSync(file, 'result'),
  'connect to a port': ({ port }) => reach({ host: '127.0.0.1', port }),
  'connect to a socket in the file system': ({ socketPath }) => reach({ path: socketPath }),
  fetch: async ({ port }) => (await fetch(`http://127.0.0.1:${port}`)).text(),
  'connect from a thread': ({ port }) => fromThread(port),
  'use internal bindings': () => Reflect.get(process, 'binding').call(process, 'tcp_wrap'),
  'start a program': () => execFileSync('/bin/true').length,
  'start a child': async ({ file }) => once(fork(file), 'exit'),
  'signal its parent': () => process.kill(process.ppid, 0),
}

export async function work(task: EscapeTargets): Promise<{ results: EscapeResults; env: string[]; uid: number | undefined }> {
  const results: EscapeResults = {}
  for (const [name, attempt] of Object.entries(tries)) {
    try {
      const got = await Promise.race([attempt(task), pause(5000, 'no answer')])
      results[name] = `got ${String(got)}`
    } catch (error) {
      results[name] = codeOf(error)
    }
  }
  return { results, env: Object.keys(process.env).toSorted(), uid: process.getuid?.() }
}

async function reach(to: { host: string; port: number } | { path: string }): Promise<string> {
  const socket = connect({ ...to, port: 'port' in to ? to.port : 0 })
  await once(socket, 'connect')
  return 'connected'
}

/** A thread has its own modules and options. */
async function fromThread(port: number): Promise<string> {
  const script = `
    const { parentPort } = require('node:worker_threads')
    const tell = (error) => parentPort.postMessage(error ? String(error.code) : 'connected')
    try {
      require('node:net').connect(${port}, '127.0.0.1', () => tell()).on('error', tell)
    } catch (error) {
      tell(error)
    }`
  const thread = new Worker(script, { eval: true, execArgv: [], env: {} })
  const [said] = (await once(thread, 'message')) as [string]
  if (said !== 'connected') throw Object.assign(new Error('refused'), { code: said })
  return said
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { code } = error as NodeJS.ErrnoException
  return code ?? (error.cause instanceof Error ? codeOf(error.cause) : error.message)
}
