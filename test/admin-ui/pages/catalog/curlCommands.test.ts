import { execFile } from 'node:child_process'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { startAndWait } from '../../../../src/admin-ui/pages/catalog/curlCommands.ts'
import { nastyPrompts } from './nastyPrompts.ts'

const folder = await mkdtemp(join(tmpdir(), 'atelier-curl-'))
afterAll(() => rm(folder, { recursive: true, force: true }))

// Replaces curl: records each of its arguments.
const standIn = `#!/bin/sh
printf '%s\\0' "$@" 'end of call' >> ${folder}/calls
`
await writeFile(join(folder, 'curl'), standIn)
await chmod(join(folder, 'curl'), 0o755)

async function callsOf(lines: string, shell: string): Promise<string[][]> {
  await writeFile(join(folder, 'calls'), '')
  await promisify(execFile)(shell, ['-c', lines], { env: { PATH: `${folder}:${process.env['PATH']}`, ATELIER_KEY: 'atl_key' } })
  const calls = (await readFile(join(folder, 'calls'), 'utf8')).split('end of call\0')
  return calls.slice(0, -1).map((call) => call.split('\0').slice(0, -1))
}

test.each(['bash', 'sh'])('%s passes every prompt unchanged to curl', async (shell) => {
  for (const prompt of nastyPrompts) {
    const body = { familyId: 'sandbox-image', modelId: 'm', prompt }
    const [start, ...others] = await callsOf(startAndWait('http://127.0.0.1:1', body), shell)
    expect(start?.slice(1, 2)).toEqual(['http://127.0.0.1:1/api/v1/generations?wait=60'])
    expect(start).toContain('Authorization: Bearer atl_key')
    expect(JSON.parse(start?.at(-1) ?? '')).toEqual(body)
    expect(others).toEqual([])
  }
})
