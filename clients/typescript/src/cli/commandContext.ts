import type { Readable, Writable } from 'node:stream'
import type { Timing } from '../http/timing.ts'

/** The environment of a command. */
export type CommandContext = {
  stdin: Readable
  stdout: Terminal
  stderr: Terminal
  env: Readonly<Record<string, string | undefined>>
  timing: Timing
  /** Aborts on the first Ctrl-C. */
  interrupted: AbortSignal
  /** Aborts on the second Ctrl-C, which waits for nothing. */
  killed: AbortSignal
}

/** A stream that may be a terminal. */
export type Terminal = Writable & { isTTY?: boolean; columns?: number }
