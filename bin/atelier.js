#!/usr/bin/env node
import { spawn } from 'node:child_process'
import { realpathSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { pinnedNode } from './pinnedNode.js'

// The sources are TypeScript, which Node reads from here on.
const nodeMajorNeeded = 24
// A terminal sends them to the whole group as well; the service takes one press for one.
const handedOn = ['SIGTERM', 'SIGINT', 'SIGHUP']
const main = new URL('../src/cli/main.ts', import.meta.url)

const pinned = pinnedNode()
if (pinned === undefined || pinned === realpathSync(process.execPath)) await runHere()
else runUnder(pinned)

async function runHere(reason = '') {
  if (Number.parseInt(process.versions.node, 10) < nodeMajorNeeded) {
    process.stderr.write(
      `atelier needs Node ${nodeMajorNeeded} or newer; this is ${process.version}${reason}. Run npm ci in its folder, which brings one.\n`,
    )
    process.exit(1)
  }
  process.argv[1] = fileURLToPath(main)
  await import(main.href)
}

function runUnder(node) {
  const child = spawn(node, [fileURLToPath(main), ...process.argv.slice(2)], { stdio: 'inherit' })
  const handOn = (signal) => child.kill(signal)
  for (const signal of handedOn) process.on(signal, handOn)
  // Alpine: npm installs it there, and it needs a C library that is not there. The machine's own Node may do.
  child.on('error', (error) => {
    for (const signal of handedOn) process.off(signal, handOn)
    void runHere(`, and ${node} does not run (${error.message})`)
  })
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code ?? 1)
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
  })
}
