import { execFile, spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { Atelier } from '../../../../clients/typescript/src/index.ts'
import { clientCalls } from '../../../../src/http/docs/samples/clientCalls.ts'
import { codeSamples } from '../../../../src/http/docs/samples/codeSamples.ts'
import { endpoints } from '../../../../src/rest/endpoints.ts'
import { describe } from '../../../../src/rest/openapi.ts'
import { atelierClient } from '../../../clients/typescript/cli/commandRun.ts'
import { type AskedRequest, exampleServer } from '../../../support/http/exampleServer.ts'
import { memoryFolder } from '../../../support/processes/memoryFolder.ts'

const root = join(import.meta.dirname, '../../../..')
const table = endpoints(() => undefined)
const document = describe(table, { publicUrl: 'https://studio.example', version: '1.2.3' })
const samples = codeSamples(document, 'https://studio.example')
const codeOf = (operationId: string, language: string) => samples[operationId]?.find((sample) => sample.language === language)?.code ?? ''
const operationIds = Object.keys(samples)

const server = await exampleServer(document)
const folder = await mkdtemp(join(memoryFolder(), 'atelier-samples-'))
await writeFile(join(folder, 'first-frame.png'), 'an image')
await writeFile(join(folder, 'requests.jsonl'), '{"familyId":"sandbox-image","prompt":"A lighthouse at dusk"}')
afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true })
})
beforeEach(() => void server.asked.splice(0))

const hasPython = spawnSync('python3', ['-c', 'import sys; sys.exit(sys.version_info < (3, 10))']).status === 0

/** The request of the curl sample: its line, and its JSON body or the file. */
function requestOf(operationId: string): { line: string; body: unknown } {
  const code = codeOf(operationId, 'sh')
  const [, url = ''] = /"https:\/\/studio\.example\/api\/v1([^"]+)"/.exec(code) ?? []
  const [, json] = / -d '(.*)'$/.exec(code) ?? []
  const isFile = code.includes(' -F ')
  const [, method = json !== undefined || isFile ? 'POST' : 'GET'] = / -X (\w+)/.exec(code) ?? []
  return { line: withSortedQuery(`${method} ${url}`), body: isFile ? 'a file' : json === undefined ? {} : (JSON.parse(json) as unknown) }
}

/** What was asked, in the form of the above: the order of a query is free, and the Python client also sends what is not given, as null. */
function readRequest({ line, type, body }: AskedRequest): { line: string; body: unknown } {
  if (type.startsWith('multipart/')) return { line, body: 'a file' }
  const fields = Object.entries(body === '' ? {} : (JSON.parse(body) as object)).filter(([, value]) => value !== null)
  return { line: withSortedQuery(line), body: Object.fromEntries(fields) }
}

function withSortedQuery(line: string): string {
  const [path = '', query] = line.split('?')
  return query === undefined ? path : `${path}?${query.split('&').toSorted().join('&')}`
}

test('each operation has a sample in curl, TypeScript and Python, and curl asks what the operation is', () => {
  expect(operationIds.toSorted()).toEqual(table.map(({ operationId }) => operationId).toSorted())
  expect(Object.keys(clientCalls).toSorted()).toEqual(operationIds.toSorted())
  for (const { operationId, method, path } of table) {
    const [asked = ''] = requestOf(operationId).line.split('?')
    expect(asked).toMatch(new RegExp(`^${method} ${path.replace('{id}', '[a-z0-9_-]+')}$`))
    expect(samples[operationId]?.map(({ language }) => language).slice(0, 3)).toEqual(['sh', 'ts', 'python'])
  }
})

test.each(operationIds)('the TypeScript sample of %s sends the request of curl', async (operationId) => {
  class Client extends Atelier {
    constructor() {
      super({ baseUrl: server.origin, key: 'atl_key', attemptsMax: 1 })
    }
  }
  const code = codeOf(operationId, 'ts')
    .replace("import { Atelier } from '@atelier/client'", '')
    .replace('first-frame.png', join(folder, 'first-frame.png'))
  const AsyncFunction = (async () => undefined).constructor as new (...names: string[]) => (...values: unknown[]) => Promise<void>
  await new AsyncFunction('Atelier', 'console', stripTypeScriptTypes(code))(Client, { log: () => undefined })
  expect(server.asked.map(readRequest)).toEqual([requestOf(operationId)])
})

test('the TypeScript samples have no type errors', { timeout: 60_000 }, async () => {
  const files = operationIds.map((operationId) => `${operationId}.ts`)
  for (const operationId of operationIds) await writeFile(join(folder, `${operationId}.ts`), codeOf(operationId, 'ts'))
  const compilerOptions = {
    strict: true,
    noEmit: true,
    target: 'es2023',
    lib: ['es2023', 'dom', 'dom.iterable', 'dom.asynciterable'],
    module: 'preserve',
    skipLibCheck: true,
    allowImportingTsExtensions: true,
    typeRoots: [join(root, 'node_modules/@types')],
    types: ['node'],
    paths: { '@atelier/client': [join(root, 'clients/typescript/src/index.ts')] },
  }
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }))
  const ended = await promisify(execFile)(join(root, 'node_modules/.bin/tsc'), ['-p', folder]).catch((error: { stdout: string }) => error)
  expect(ended.stdout).toBe('')
})

const runner = `
import json, sys, traceback
for name, code in json.load(sys.stdin):
    print("#", name, file=sys.stderr, flush=True)
    exec(compile(code, name, "exec"), {})
`

test.skipIf(!hasPython)('the Python samples send the requests of curl', { timeout: 60_000 }, async () => {
  const env = {
    PATH: process.env['PATH'] ?? '',
    PYTHONPATH: join(root, 'clients/python'),
    PYTHONDONTWRITEBYTECODE: '1',
    ATELIER_URL: server.origin,
    ATELIER_KEY: 'atl_key',
  }
  const run = promisify(execFile)('python3', ['-c', runner], { cwd: folder, env })
  run.child.stdin?.end(JSON.stringify(operationIds.map((operationId) => [operationId, codeOf(operationId, 'python')])))
  const ended = await run.then(
    () => '',
    (error: { stderr: string }) => error.stderr,
  )
  expect(ended).toBe('')
  expect(server.asked.map(readRequest)).toEqual(operationIds.map(requestOf))
})

const commands = operationIds.filter((operationId) => codeOf(operationId, 'cli') !== '')

test.each(commands)('the command of %s is one, and sends that request', async (operationId) => {
  const line = codeOf(operationId, 'cli').replaceAll(/first-frame\.png|requests\.jsonl/g, (name) => join(folder, name))
  const [, ...argv] = [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, word = '']) => quoted ?? word)
  const ended = await atelierClient(argv, { env: { ATELIER_URL: server.origin, ATELIER_KEY: 'atl_key' } })
  const [wanted = ''] = requestOf(operationId).line.split('?')
  expect([ended.words, server.asked.map((asked) => asked.line.replace(/\?.*/, ''))]).toEqual([
    expect.not.stringContaining('--help'),
    expect.arrayContaining([wanted]),
  ])
})
