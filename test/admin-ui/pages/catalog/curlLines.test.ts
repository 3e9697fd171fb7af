import { execFile } from 'node:child_process'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { startAndWait } from '../../../../src/admin-ui/pages/catalog/curlLines.ts'
import { nastyPrompts } from './nastyPrompts.ts'

const folder = await mkdtemp(join(tmpdir(), 'atelier-curl-'))
afterAll(() => rm(folder, { recursive: true, force: true }))

// In place of curl: writes down each word that it was given, and says what stands in a file.
const standIn = `#!/bin/sh
printf '%s\\0' "$@" 'end of call' >> ${folder}/calls
cat ${folder}/answer
`
await writeFile(join(folder, 'curl'), standIn)
await chmod(join(folder, 'curl'), 0o755)

async function callsOf(lines: string, { shell, answer }: { shell: string; answer: string }): Promise<string[][]> {
  await writeFile(join(folder, 'calls'), '')
  await writeFile(join(folder, 'answer'), answer)
  await promisify(execFile)(shell, ['-c', lines], { env: { PATH: `${folder}:${process.env['PATH']}`, ATELIER_KEY: 'atl_key' } })
  const calls = (await readFile(join(folder, 'calls'), 'utf8')).split('end of call\0')
  return calls.slice(0, -1).map((call) => call.split('\0').slice(0, -1))
}

const generations = 'http://127.0.0.1:1/api/v1/generations'

test.each(['bash', 'sh'])('%s hands every prompt to curl as it was typed, and then waits for what was started', async (shell) => {
  for (const prompt of nastyPrompts) {
    const body = { familyId: 'sandbox-image', modelId: 'm', prompt }
    const lines = startAndWait('http://127.0.0.1:1', body)
    const [start, wait] = await callsOf(lines, { shell, answer: '{"generationId":"gen_1","prompt":"\\"generationId\\":\\"gen_2\\""}' })
    expect(start?.slice(1, 2)).toEqual([generations])
    expect(start).toContain('Authorization: Bearer atl_key')
    expect(JSON.parse(start?.at(-1) ?? '')).toEqual(body)
    expect(wait).toContain(`${generations}/gen_1?wait=60`)
  }
})

test('after a refusal there is nothing to wait for', async () => {
  const lines = startAndWait('http://127.0.0.1:1', { familyId: 'a', modelId: 'm' })
  const answer = '{"error":{"code":"file_not_found","details":{"ids":["gen_1"]}}}'
  expect(await callsOf(lines, { shell: 'bash', answer })).toHaveLength(1)
})
