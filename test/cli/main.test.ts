import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { compileCache } from '../support/processes/compileCache.ts'

const commands = ['start', 'serve', 'work', 'demo', 'migrate', 'openapi', 'schema', 'health', 'doctor', 'backup', 'restore', 'export']

test('the help lists every command with a description', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['src/cli/main.ts', '--help'], {
    env: { ...process.env, ...compileCache },
  })
  const described = [...stdout.matchAll(/^ {2}(\w+) +([A-Z].+\.)$/gm)].map(([, name]) => name)
  expect(described).toEqual(commands)
})
