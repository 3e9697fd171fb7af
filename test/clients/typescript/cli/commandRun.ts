import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { onTestFinished } from 'vitest'
import { main } from '../../../../clients/typescript/src/cli/main.ts'
import { realTiming, type Timing } from '../../../../clients/typescript/src/http/timing.ts'

type Surroundings = {
  env?: Record<string, string>
  stdin?: string | Buffer
  /** Whether both streams are terminals. The output then stays as it is written. */
  isTerminal?: boolean
  columns?: number
  timing?: Timing
  /** Called with the whole text of standard error after each write. */
  onWords?: (words: string, keys: CtrlC) => void
  /** Called before the program runs. */
  onStart?: (keys: CtrlC) => void
  onLine?: (lines: string, keys: CtrlC) => void
}

export type CtrlC = { press(): void }
export type Ended = { code: number; out: string; bytes: Buffer; words: string }

/** Runs the program in this process with these arguments, isolated from the environment of this machine. */
export async function atelierClient(argv: string[], surroundings: Surroundings = {}): Promise<Ended> {
  const { env = {}, stdin = '', isTerminal = false, columns = 80, timing = realTiming } = surroundings
  const interrupted = new AbortController()
  const killed = new AbortController()
  const keys = { press: () => (interrupted.signal.aborted ? killed : interrupted).abort() }
  surroundings.onStart?.(keys)
  const words = kept((text) => surroundings.onWords?.(text, keys))
  const out = kept((text) => surroundings.onLine?.(text, keys))
  const streamOf = ({ stream }: Kept) => Object.assign(stream, isTerminal ? { isTTY: true, columns } : {})
  const code = await main(argv, {
    stdin: Readable.from([Buffer.from(stdin)]),
    stdout: streamOf(out),
    stderr: streamOf(words),
    env,
    timing,
    interrupted: interrupted.signal,
    killed: killed.signal,
  })
  return { code, out: out.all().toString(), bytes: out.all(), words: words.all().toString() }
}

type Kept = { stream: Writable; all(): Buffer }

function kept(onWrite: (text: string) => void): Kept {
  const chunks: Buffer[] = []
  const all = () => Buffer.concat(chunks)
  const write = (chunk: Buffer, _encoding: string, done: () => void) => {
    chunks.push(chunk)
    onWrite(all().toString())
    done()
  }
  return { stream: new Writable({ write }), all }
}

/** A temporary folder for the running test. */
export async function aFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'atelier-command-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}
