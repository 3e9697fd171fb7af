import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { testApp } from '../../../../support/app.ts'
import { aTeamWithKey } from '../../../../support/factories.ts'
import { blackPng } from '../../../../support/media/blackPng.ts'
import { aFolder, atelierClient } from '../commandRun.ts'

const app = await testApp()
afterAll(app.close)
const { value } = await aTeamWithKey(app.services)
const env = { ATELIER_URL: app.origin, ATELIER_KEY: value }
const png = blackPng({ width: 8, height: 8 })

test('files are uploaded, listed by type and use, and deleted', async () => {
  const path = join(await aFolder(), 'a.png')
  await writeFile(path, png)
  const first = (await atelierClient(['files', 'upload', path], { env })).out.trim()
  const second = (await atelierClient(['files', 'upload', '-', '--quiet'], { env, stdin: png })).out.trim()
  const list = await atelierClient(['files', 'list'], { env })
  expect(list.out).toMatch(new RegExp(`^${second}\\tready\\timage/png\\t${png.length}\\t\\S+\\t\\S+\\n${first}\\t`))
  expect((await atelierClient(['files', '--type', 'image', '--unused'], { env })).out).toBe(list.out)
  expect(await atelierClient(['files', 'list', '--type', 'video', '--json'], { env })).toMatchObject({ code: 0, out: '' })
  expect(await atelierClient(['files', 'delete', first], { env })).toMatchObject({ code: 0, out: '' })
  expect(await atelierClient(['files', 'delete', first], { env })).toMatchObject({ code: 6 })
  const { out } = await atelierClient(['files', 'list', '--json'], { env })
  expect(JSON.parse(out)).toMatchObject({ fileId: second, type: 'image' })
})

test.each([
  [['files', 'lose', 'x']],
  [['files', 'upload']],
  [['files', 'upload', '/nowhere/a.png']],
  [['files', 'delete']],
  [['files', 'delete', 'file_none', '--unused']],
  [['files', 'list', 'more']],
  [['files', 'list', '--type', 'song']],
])('%j is a wrong command line', async (argv) => {
  expect(await atelierClient(argv, { env })).toMatchObject({ code: 2, out: '' })
})

test('content of no known format is refused, and a key without the scope may not upload', async () => {
  expect(await atelierClient(['files', 'upload', '-'], { env, stdin: 'rubbish' })).toMatchObject({ code: 3, out: '' })
  const narrow = { ...env, ATELIER_KEY: (await aTeamWithKey(app.services, { scopes: ['catalog:read'] })).value }
  expect(await atelierClient(['files', 'upload', '-'], { env: narrow, stdin: png })).toMatchObject({ code: 4, out: '' })
})
