import type { Readable, Writable } from 'node:stream'
import type { Timing } from '../timing.ts'

/** All of its surroundings that a command meets. */
export type World = {
  stdin: Readable
  stdout: Terminal
  stderr: Terminal
  env: Readonly<Record<string, string | undefined>>
  timing: Timing
  /** Aborts at the first Ctrl-C. */
  interrupted: AbortSignal
  /** Aborts at the second, which waits for nothing. */
  abandoned: AbortSignal
}

/** A stream that may lead to a terminal. */
export type Terminal = Writable & { isTTY?: boolean; columns?: number }
