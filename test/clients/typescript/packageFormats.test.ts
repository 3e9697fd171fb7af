import { execFile } from 'node:child_process'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testApp } from '../../support/app.ts'
import { aTeamWithKey } from '../../support/factories.ts'
import { compilerErrors, installedPackage } from './installedPackage.ts'

const run = promisify(execFile)
const app = await testApp()
afterAll(app.close)
const { value: key } = await aTeamWithKey(app.services)

let folder = ''
beforeAll(async () => {
  folder = (await installedPackage()).folder
})
afterAll(() => rm(folder, { recursive: true, force: true }))

test('the package can be required, with types, and its maps contain the sources', async () => {
  const program = `const { Atelier, InsufficientCreditsError } = require('@atelier/client')
const atelier = new Atelier()
atelier.getAccount().then((account) => console.log(account.key.name, typeof InsufficientCreditsError))
`
  await mkdir(join(folder, 'required'))
  await writeFile(join(folder, 'required/program.cjs'), program)
  await writeFile(
    join(folder, 'required/program.cts'),
    program.replace('const {', 'import client = require("@atelier/client")\nconst {').replace("require('@atelier/client')", 'client'),
  )
  expect(await compilerErrors(join(folder, 'required'), ['*.cts'])).toBe('')
  const { stdout } = await run(process.execPath, ['required/program.cjs'], {
    cwd: folder,
    env: { ATELIER_URL: app.origin, ATELIER_KEY: key },
  })
  expect(stdout).toMatch(/ function\n$/)
  const map = JSON.parse(await readFile(join(folder, 'node_modules/@atelier/client/dist/cjs/atelier.js.map'), 'utf8')) as {
    sourcesContent: string[]
  }
  expect(map.sourcesContent[0]).toContain('export class Atelier')
})

test('the command types writes a file with which wrong axes and parameters are errors of the compiler', async () => {
  const program = join(folder, 'node_modules/.bin/atelier-client')
  const options = { cwd: folder, env: { PATH: process.env['PATH'], ATELIER_URL: app.origin, ATELIER_KEY: key } }
  await mkdir(join(folder, 'typed'))
  await run(program, ['types', '-o', 'typed/atelierFamilies.ts'], options)
  const call = (request: string) => `await atelier.start(${request})\n`
  const wrong = [
    `{ familyId: 'sandbox-imagee' }`,
    `{ familyId: 'sandbox-image', axes: { version: 'huge' } }`,
    `{ familyId: 'sandbox-image', axes: { version: 'pro' }, modelId: 'sandbox-image.text-to-image.pro' }`,
    `{ familyId: 'sandbox-image', parameters: { widht: 64 } }`,
    `{ familyId: 'sandbox-video', parameters: { durationSeconds: 'two' } }`,
  ]
  const right = [
    `{ familyId: 'sandbox-image', prompt: 'x', axes: { version: 'pro' }, parameters: { width: 64 }, images: ['a.png'] }`,
    `{ familyId: 'sandbox-video', modelId: 'sandbox-video.text-to-video.turbo' }`,
    `anyRequest`,
  ]
  const typed = `import './atelierFamilies.ts'
import { Atelier, type GenerationRequest } from '@atelier/client'
declare const anyRequest: GenerationRequest
const atelier = new Atelier()
${right.map(call).join('')}${wrong.map((request) => `// @ts-expect-error\n${call(request)}`).join('')}`
  await writeFile(join(folder, 'typed/typed.ts'), typed)
  expect(await compilerErrors(join(folder, 'typed'), ['*.ts'])).toBe('')
})
