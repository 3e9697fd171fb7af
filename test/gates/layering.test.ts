import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'

/** `from` is a folder, `to` a file. */
type Arrow = { from: string; statement: keyof typeof sourceText; to: string }

const sourceText = {
  import: (specifier: string) => `import { target } from '${specifier}'\nexport const value = target\n`,
  'import type': (specifier: string) => `import type { target } from '${specifier}'\nexport type Value = typeof target\n`,
  'export from': (specifier: string) => `export { target } from '${specifier}'\n`,
  'await import': (specifier: string) => `export const value = await import('${specifier}')\n`,
}

const refused: Arrow[] = [
  { from: 'src/contract', statement: 'import', to: 'src/domain/ids.ts' },
  { from: 'src/contract', statement: 'import type', to: 'src/domain/credits/hold.ts' },
  { from: 'src/media', statement: 'import', to: 'src/domain/context.ts' },
  { from: 'src/media', statement: 'import', to: 'src/contract/limits.ts' },
  { from: 'src/media', statement: 'import type', to: 'src/contract/refusals/refusals.ts' },
  { from: 'src/concurrency', statement: 'import', to: 'src/contract/limits.ts' },
  { from: 'src/providers', statement: 'import', to: 'src/domain/context.ts' },
  { from: 'src/transport', statement: 'import', to: 'src/schema/operations.ts' },
  { from: 'src/transport', statement: 'import', to: 'src/domain/credits/hold.ts' },
  { from: 'src/rest', statement: 'import', to: 'src/domain/access/authenticate.ts' },
  { from: 'src/rest', statement: 'import', to: 'src/graphql/yoga.ts' },
  { from: 'src/graphql', statement: 'import', to: 'src/rest/restRoutes.ts' },
  { from: 'src/graphql', statement: 'import', to: 'src/domain/generations/start/startGeneration.ts' },
  { from: 'src/http', statement: 'import', to: 'src/jobs/runners/worker.ts' },
  { from: 'src/http', statement: 'import', to: 'src/schema/generations/generation.ts' },
  { from: 'src/entities', statement: 'import', to: 'src/contract/limits.ts' },
  { from: 'src/storage', statement: 'import', to: 'src/network/guardedFetch.ts' },
  { from: 'src/network', statement: 'import', to: 'src/contract/limits.ts' },
  { from: 'src/secrets', statement: 'import', to: 'src/entities/ApiKey.ts' },
  { from: 'src/secrets', statement: 'import type', to: 'src/entities/ApiKey.ts' },
  { from: 'src/database', statement: 'import', to: 'src/contract/limits.ts' },
  { from: 'src/domain', statement: 'import', to: 'src/config/readConfig.ts' },
  { from: 'src/domain', statement: 'import', to: 'src/domain/credits/hold.ts' },
  { from: 'src/domain/files', statement: 'import', to: 'src/domain/credits/hold.ts' },
  { from: 'src/domain/files', statement: 'import type', to: 'src/domain/generations/start/startGeneration.ts' },
  { from: 'src/domain/files', statement: 'import', to: 'src/domain/catalog/priceOf.ts' },
  { from: 'src/domain/generations', statement: 'import', to: 'src/providers/provider.ts' },
  { from: 'src/contract', statement: 'import', to: 'src/domain/credits/hold.ts' },
  { from: 'src/contract', statement: 'import', to: 'src/storage/disk.ts' },
  { from: 'src/providers/sandbox', statement: 'import', to: 'src/providers/vendors/acme/submit.ts' },
  { from: 'src/providers/vendors/acme', statement: 'import', to: 'src/providers/vendors/other/submit.ts' },
  { from: 'src/providers/vendors/acme', statement: 'import', to: 'src/config/readConfig.ts' },
  { from: 'src/config', statement: 'import', to: 'src/providers/vendors.ts' },
  { from: 'src/config', statement: 'import', to: 'src/providers/vendors/acme/submit.ts' },
  { from: 'src/schema', statement: 'import', to: 'src/transport/translateError.ts' },
  { from: 'src/schema', statement: 'import', to: 'src/providers/provider.ts' },
  { from: 'src/rest', statement: 'import', to: 'src/domain/generations/start/startGeneration.ts' },
  { from: 'src/rest', statement: 'await import', to: 'src/domain/generations/start/startGeneration.ts' },
  { from: 'src/rest', statement: 'export from', to: 'src/domain/generations/start/startGeneration.ts' },
  { from: 'src/rest', statement: 'import', to: 'src/domain/queue.ts' },
  { from: 'src/rest', statement: 'import', to: 'src/schema/generations/generation.ts' },
  { from: 'src/rest', statement: 'import', to: 'src/mcp/server.ts' },
  { from: 'src/mcp', statement: 'import', to: 'src/entities/ApiKey.ts' },
  { from: 'src/jobs', statement: 'import', to: 'src/schema/operations.ts' },
  { from: 'src/jobs', statement: 'import', to: 'src/http/app.ts' },
  { from: 'src/http', statement: 'import', to: 'src/config/readConfig.ts' },
  { from: 'src/http', statement: 'import', to: 'src/cli/main.ts' },
  { from: 'src/cli', statement: 'import', to: 'test/support/database/database.ts' },
  { from: 'src/admin-ui', statement: 'import', to: 'src/contract/shapes/generation.ts' },
  { from: 'src/admin-ui', statement: 'import type', to: 'src/schema/schema.ts' },
  { from: 'src/admin-ui', statement: 'import', to: 'src/media/preview/renderWaveform.ts' },
  { from: 'src/http', statement: 'import', to: 'src/admin-ui/paths.ts' },
  { from: 'test/rest', statement: 'import', to: 'test/rest/other.test.ts' },
  { from: 'test/support', statement: 'import', to: 'test/rest/other.test.ts' },
  { from: 'src/utils', statement: 'import', to: 'src/contract/limits.ts' },
  { from: 'src/http', statement: 'import', to: 'src/utils/date.ts' },
]

const allowed: Arrow[] = [
  { from: 'src/database', statement: 'import', to: 'src/concurrency/batchLoop.ts' },
  { from: 'src/contract', statement: 'import', to: 'src/entities/ApiKey.ts' },
  { from: 'src/domain/files', statement: 'import', to: 'src/media/detectFormat.ts' },
  { from: 'src/admin-ui', statement: 'import', to: 'src/media/preview/waveformBars.ts' },
  { from: 'src/transport', statement: 'import', to: 'src/domain/access/authenticate.ts' },
  { from: 'src/rest', statement: 'import type', to: 'src/domain/access/authenticate.ts' },
  { from: 'src/graphql', statement: 'import', to: 'src/schema/schema.ts' },
  { from: 'src/database', statement: 'import', to: 'src/entities/ApiKey.ts' },
  { from: 'src/domain', statement: 'import', to: 'src/contract/limits.ts' },
  { from: 'src/domain', statement: 'import type', to: 'src/domain/credits/hold.ts' },
  { from: 'src/domain/files', statement: 'import', to: 'src/contract/limits.ts' },
  { from: 'src/domain/files', statement: 'import type', to: 'src/domain/catalog/priceOf.ts' },
  { from: 'src/domain/generations', statement: 'import', to: 'src/domain/credits/hold.ts' },
  { from: 'src/providers/sandbox', statement: 'import type', to: 'src/providers/provider.ts' },
  { from: 'src/providers/sandbox', statement: 'import', to: 'src/media/workers/workerPool.ts' },
  { from: 'src/providers', statement: 'import', to: 'src/providers/vendors/acme/index.ts' },
  { from: 'src/providers/vendors/acme', statement: 'import', to: 'src/providers/connector/settings.ts' },
  { from: 'src/config', statement: 'import type', to: 'src/providers/connector/vendor.ts' },
  { from: 'src/schema', statement: 'import', to: 'src/contract/shapes/generation.ts' },
  { from: 'src/rest', statement: 'import', to: 'src/schema/operations.ts' },
  { from: 'src/jobs', statement: 'import', to: 'src/providers/provider.ts' },
  { from: 'src/http', statement: 'import', to: 'src/transport/translateError.ts' },
  { from: 'src/cli', statement: 'import', to: 'src/config/readConfig.ts' },
  { from: 'test/rest', statement: 'import', to: 'src/transport/translateError.ts' },
  { from: 'test/rest', statement: 'import', to: 'test/support/database/database.ts' },
]

const repository = join(import.meta.dirname, '../..')
const tree = mkdtempSync(join(tmpdir(), 'layering-'))
let beforeRefused: Verdict
let withRefused: Verdict

type Verdict = { status: number | null; files: string[] }

beforeAll(() => {
  cpSync(join(repository, '.oxlintrc.json'), join(tree, '.oxlintrc.json'))
  symlinkSync(join(repository, 'node_modules'), join(tree, 'node_modules'), 'dir')
  allowed.forEach(plant)
  beforeRefused = lint()
  refused.forEach(plant)
  withRefused = lint()
})

afterAll(() => rmSync(tree, { recursive: true, force: true }))

test('allowed imports of the architecture pass the lint', () => {
  expect(beforeRefused).toEqual({ status: 0, files: [] })
})

test.for(refused)('the lint fails when $from has $statement $to', (arrow) => {
  expect(withRefused.status).toBe(1)
  expect(withRefused.files).toContain(importerOf(arrow))
})

test('forbidden imports do not affect allowed ones in the lint', () => {
  expect(withRefused.files.filter((file) => allowed.map(importerOf).includes(file))).toEqual([])
})

/** Every import is in a separate file, so that each result is separate. */
function importerOf(arrow: Arrow): string {
  const number = [...allowed, ...refused].indexOf(arrow)
  const isTest = arrow.from.startsWith('test/') && arrow.from !== 'test/support'
  return `${arrow.from}/arrow${number}${isTest ? '.test.ts' : '.ts'}`
}

function plant(arrow: Arrow): void {
  const path = relative(arrow.from, arrow.to)
  const specifier = path.startsWith('.') ? path : `./${path}`
  write(arrow.to, 'export const target = 1\n')
  write(importerOf(arrow), sourceText[arrow.statement](specifier))
}

function write(path: string, text: string): void {
  mkdirSync(dirname(join(tree, path)), { recursive: true })
  writeFileSync(join(tree, path), text)
}

function lint(): Verdict {
  const oxlint = join(repository, 'node_modules/oxlint/bin/oxlint')
  const { status, stdout, stderr } = spawnSync(process.execPath, [oxlint, '--format=json'], {
    cwd: tree,
    encoding: 'utf8',
    timeout: 20_000,
  })
  if (!stdout.startsWith('{')) throw new Error(`oxlint gave no report: ${stdout}${stderr}`)
  const { diagnostics } = JSON.parse(stdout) as { diagnostics: { code: string; filename: string }[] }
  return { status, files: diagnostics.filter(({ code }) => code.startsWith('boundaries(')).map(({ filename }) => filename) }
}
