#!/usr/bin/env node
import { realTiming } from '../http/timing.ts'
import { main } from './main.ts'

/** The program: streams, signals and exit code of the process. */
const interrupted = new AbortController()
const killed = new AbortController()
/** How long the program may take to print its state after a second Ctrl-C. */
const shutdownGraceMs = 500

function interrupt(): void {
  if (!interrupted.signal.aborted) {
    interrupted.abort()
    return
  }
  killed.abort()
  setTimeout(() => process.exit(130), shutdownGraceMs).unref()
}

process.on('SIGINT', interrupt)
process.on('SIGTERM', interrupt)
// The reader closed the pipe, like `head` does.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))

const { stdin, stdout, stderr, env } = process
process.exitCode = await main(process.argv.slice(2), {
  stdin,
  stdout,
  stderr,
  env,
  timing: realTiming,
  interrupted: interrupted.signal,
  killed: killed.signal,
})
