import { execFile, spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { endpoints } from '../../src/rest/endpoints.ts'
import { describe } from '../../src/rest/openapi.ts'
import { testApp } from '../support/app.ts'
import { aTeamWithKey } from '../support/factories.ts'

type Media = { schema?: { $ref?: string }; examples?: Record<string, { $ref?: string; value: unknown }> }
type Body = { content?: Record<string, Media> }
type Document = {
  paths: Record<string, Record<string, { requestBody?: Body; responses: Record<string, Body> }>>
  webhooks: Record<string, { post: { requestBody: Body } }>
  components: {
    schemas: Record<string, { properties?: object }>
    responses: Record<string, Body>
    examples: Record<string, { value: unknown }>
  }
}

const run = promisify(execFile)
const repository = join(import.meta.dirname, '../..')
const document = describe(
  endpoints(() => undefined),
  { publicUrl: 'https://atelier.example', version: '1.2.3' },
) as Document

/** What a foreign program does with only the types. */
const typedCall = `
import type { components, paths } from './openapi-typescript/schema.ts'

type Start = paths['/generations']['post']
type Answer = Start['responses'][201]['content']['application/json']
export const body: Start['requestBody']['content']['application/json'] = { familyId: 'sandbox-image', prompt: 'a lighthouse' }
export const upload: components['schemas']['FileRequest'] = { url: 'https://media.example/a.png' }
export const codeOf = ({ error }: Start['responses'][402]['content']['application/json']): string => error.code
export const toldOf = ({ state, creditsCharged }: Answer): [components['schemas']['GenerationState'], number | null] => [state, creditsCharged]
// @ts-expect-error a family must be named
export const wrong: typeof body = { prompt: 'a lighthouse' }
`

const clientCall = `
import { createClient } from './hey-api/client/index.ts'
import { startGeneration } from './hey-api/sdk.gen.ts'

/** Returns the identifier of the started generation, or the code of the refusal. */
export async function start(baseUrl: string, key: string, familyId: string): Promise<string> {
  const client = createClient({ baseUrl, auth: key })
  const { data, error } = await startGeneration({ client, body: { familyId, prompt: 'a lighthouse' }, headers: { 'Idempotency-Key': familyId } })
  return data ? data.generationId : error.error.code
}
// @ts-expect-error a family must be named
export const wrong = () => startGeneration({ body: { prompt: 'a lighthouse' } })
`

let folder = ''

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'atelier-generators-'))
  await writeFile(join(folder, 'openapi.json'), JSON.stringify(document))
  await writeFile(join(folder, 'typedCall.ts'), typedCall)
  await writeFile(join(folder, 'clientCall.ts'), clientCall)
  await run(process.execPath, [fileURLToPath(new URL('./generators/generate.ts', import.meta.url)), folder], { cwd: repository })
})
afterAll(() => rm(folder, { recursive: true, force: true }))

test('the types of openapi-typescript and the client of hey-api compile and type a start', async () => {
  const compilerOptions = {
    ...{ strict: true, noEmit: true, skipLibCheck: true, types: [], lib: ['es2024', 'dom', 'dom.iterable'] },
    ...{ target: 'es2024', module: 'nodenext', allowImportingTsExtensions: true, noUncheckedIndexedAccess: true },
  }
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['**/*.ts'] }))
  const compiler = join(repository, 'node_modules/typescript/bin/tsc')
  const { stdout } = await run(process.execPath, [compiler, '-p', folder]).catch((error: { stdout: string }) => error)
  expect(stdout).toBe('')
})

test('the client of hey-api starts a generation and reads the code of a refusal', async () => {
  const app = await testApp()
  try {
    const { value: key } = await aTeamWithKey(app.services)
    const { start } = (await import(pathToFileURL(join(folder, 'clientCall.ts')).href)) as {
      start(baseUrl: string, key: string, familyId: string): Promise<string>
    }
    expect(await start(`${app.origin}/api/v1`, key, 'sandbox-image')).toMatch(/^gen_/)
    expect(await start(`${app.origin}/api/v1`, key, 'no-such-family')).toBe('family_not_found')
    expect(await start(`${app.origin}/api/v1`, 'atl_unknown', 'sandbox-image')).toBe('invalid_token')
  } finally {
    await app.close()
  }
})

test('quicktype uses our names for the Python classes, and invents none', async () => {
  const models = await readFile(join(folder, 'quicktype/models.py'), 'utf8')
  const classes = [...models.matchAll(/^class (\w+)/gm)].map(([, name]) => name)
  expect(classes.filter((name) => !(`${name}` in document.components.schemas))).toEqual([])
  const objects = Object.entries(document.components.schemas).filter(([, { properties }]) => properties)
  expect(objects.map(([name]) => name).filter((name) => !classes.includes(name))).toEqual([])
})

const python = spawnSync('python3', ['--version']).status === 0

test('the Python classes read every example of the document and write it back unchanged', async ({ skip }) => {
  skip(!python, 'python3 is not installed here')
  const examples = bodies().flatMap(({ schema, examples: shown = {} }) => {
    const name = schema?.$ref?.replace('#/components/schemas/', '')
    return name === undefined ? [] : Object.values(shown).map((example) => [name, valueOf(example)])
  })
  expect(new Set(examples.map(([, example]) => example)).size).toBeGreaterThan(50)
  await writeFile(join(folder, 'examples.json'), JSON.stringify(examples))
  const { stdout } = await run('python3', ['-B', join(import.meta.dirname, 'generators/roundTrip.py'), folder])
  expect(stdout).toBe('')
})

function bodies(): Media[] {
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods))
  const all = [
    ...operations.flatMap(({ requestBody, responses }) => [requestBody ?? {}, ...Object.values(responses)]),
    ...Object.values(document.webhooks).map(({ post }) => post.requestBody),
    ...Object.values(document.components.responses),
  ]
  return all.flatMap(({ content = {} }) => Object.values(content))
}

function valueOf({ $ref, value }: { $ref?: string; value: unknown }): unknown {
  return $ref === undefined ? value : document.components.examples[$ref.replace('#/components/examples/', '')]?.value
}
