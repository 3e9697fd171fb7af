#!/usr/bin/env node
import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

// Plain JavaScript that Node 20 reads: the sources are TypeScript and need the Node that the package brings along.
const nodeMajorNeeded = 24
const main = new URL('../src/cli/main.ts', import.meta.url)

if (Number.parseInt(process.versions.node, 10) >= nodeMajorNeeded) {
  process.argv[1] = fileURLToPath(main)
  await import(main.href)
} else {
  runUnder(packagedNode())
}

function packagedNode() {
  try {
    const manifest = createRequire(import.meta.url).resolve('node/package.json')
    return join(manifest, '..', 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
  } catch {
    return undefined
  }
}

function runUnder(node) {
  if (node === undefined) {
    process.stderr.write(
      `atelier needs Node ${nodeMajorNeeded} or newer; this is ${process.version}. Run npm ci in its folder, which brings one.\n`,
    )
    process.exit(1)
  }
  const child = spawn(node, [fileURLToPath(main), ...process.argv.slice(2)], { stdio: 'inherit' })
  // A terminal already sends its own signals to the whole group; handing those on again would look like a second press.
  const handedOn = process.stdin.isTTY ? ['SIGTERM'] : ['SIGTERM', 'SIGINT', 'SIGHUP']
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => handedOn.includes(signal) && child.kill(signal))
  child.on('error', (error) => {
    process.stderr.write(`atelier could not start ${node}: ${error.message}\n`)
    process.exit(1)
  })
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code ?? 1)
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
  })
}
