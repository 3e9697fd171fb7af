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

/** The arguments of each call of curl, by script. One shell runs all scripts, because starting one takes longer than a script. */
async function callsOf(scripts: string[], shell: string): Promise<string[][][]> {
  await writeFile(join(folder, 'calls'), '')
  const lines = scripts.map((script) => `${script}\nprintf 'end of script\\0' >> ${folder}/calls`).join('\n')
  await promisify(execFile)(shell, ['-c', lines], { env: { PATH: `${folder}:${process.env['PATH']}`, ATELIER_KEY: 'atl_key' } })
  const parts = (text: string, end: string) => text.split(`${end}\0`).slice(0, -1)
  const calls = await readFile(join(folder, 'calls'), 'utf8')
  return parts(calls, 'end of script').map((script) => parts(script, 'end of call').map((call) => call.split('\0').slice(0, -1)))
}

test.each(['bash', 'sh'])('%s passes every prompt unchanged to curl', async (shell) => {
  const bodies = nastyPrompts.map((prompt) => ({ familyId: 'sandbox-image', modelId: 'm', prompt }))
  const scripts = bodies.map((body) => startAndWait('http://127.0.0.1:1', body))
  const calls = await callsOf(scripts, shell)
  expect(calls).toHaveLength(bodies.length)
  for (const [index, body] of bodies.entries()) {
    const [start, ...others] = calls[index] ?? []
    expect(start?.slice(1, 2)).toEqual(['http://127.0.0.1:1/api/v1/generations?wait=60'])
    expect(start).toContain('Authorization: Bearer atl_key')
    expect(JSON.parse(start?.at(-1) ?? '')).toEqual(body)
    expect(others).toEqual([])
  }
})
