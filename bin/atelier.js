#!/usr/bin/env node
import { spawn } from 'node:child_process'
import { realpathSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { buildMissingAdminUi } from './missingAdminUi.js'
import { nodeFault } from './nodeFault.js'
import { pinnedNode } from './pinnedNode.js'

// A terminal also sends these signals to the child. The service counts both copies as one.
const forwardedSignals = ['SIGTERM', 'SIGINT', 'SIGHUP']
const main = new URL('../src/cli/main.ts', import.meta.url)
// MiB of a semi-space, of which the young generation has three. A larger one collects less often and copies less, but stays after load.
// Measured in docs/measurements.md#memory-and-the-young-generation.
const semiSpaceDefaults = { serve: 16 }
const nodeArguments = [`--max-semi-space-size=${semiSpaceMegabytes()}`]
// Compiled modules, for the next start. Below the program, where nobody else writes; left out where that cannot be written.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('../node_modules/.cache/atelier-compiled', import.meta.url))
// glibc keeps freed buffers of up to 32 MiB for reuse: a burst of long answers or sign-ins would stay as 200 MB of memory.
process.env.MALLOC_MMAP_THRESHOLD_ ??= String(1024 ** 2)
process.env.MALLOC_TRIM_THRESHOLD_ ??= String(8 * 1024 ** 2)

const pinned = pinnedNode()
if (['start', 'serve'].includes(process.argv[2]) && !process.argv.includes('--help')) buildMissingAdminUi(pinned ?? process.execPath)
if (pinned === undefined || pinned === realpathSync(process.execPath)) await runHere()
else runUnder(pinned)

/** An invalid value is reported by the service itself, like those of the other variables. */
function semiSpaceMegabytes() {
  const given = process.env.SEMI_SPACE_MB ?? ''
  return /^[1-9]\d{0,2}$/.test(given) ? given : (semiSpaceDefaults[process.argv[2]] ?? 4)
}

/** `failure`: why the pinned Node does not run here. */
async function runHere(failure) {
  const fault = nodeFault({ version: process.versions.node, failure })
  if (fault !== undefined) {
    process.stderr.write(`${fault}\n`)
    process.exit(1)
  }
  // Such arguments count from the start of a process only; where it can, this one becomes another.
  if (process.platform !== 'win32' && typeof process.execve === 'function') {
    process.execve(process.execPath, [process.execPath, ...nodeArguments, fileURLToPath(main), ...process.argv.slice(2)], process.env)
  }
  process.argv[1] = fileURLToPath(main)
  await import(main.href)
}

function runUnder(node) {
  // Over the channel the service notices the end of this process, also by SIGKILL: src/cli/boot/endWithLauncher.ts.
  const stdio = ['inherit', 'inherit', 'inherit', 'ipc']
  const child = spawn(node, [...nodeArguments, fileURLToPath(main), ...process.argv.slice(2)], { stdio })
  // The console of Windows sends these signals to the service itself, and `kill` would end it at once, without draining.
  const forwardSignal = process.platform === 'win32' ? () => undefined : (signal) => child.kill(signal)
  for (const signal of forwardedSignals) process.on(signal, forwardSignal)
  // On Alpine, npm installs the pinned Node, which needs a C library that Alpine lacks. The Node of the machine may run instead.
  child.on('error', (error) => {
    for (const signal of forwardedSignals) process.off(signal, forwardSignal)
    void runHere(`${node} does not run: ${error.message}`)
  })
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code ?? 1)
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
  })
}
