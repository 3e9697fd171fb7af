import { execFile, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, lstat, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { archiveDeployment } from './deployments/archiveDeployment.ts'
import { openExternalServices } from './deployments/externalServices.ts'
import { bareEnvironment, installArchive } from './deployments/installArchive.ts'
import { packReleases } from './deployments/releaseArchives.ts'
import { runDeploymentDrill } from './deployments/runDeploymentDrill.ts'
import { printLine } from './printLine.ts'

/**
 * Installs a release as in production, with `npm ci --omit=dev`, and uses it: no development package may be installed, every command works,
 * and a running service generates an image and serves the admin UI. Then deploys the previous release, upgrades it to this one and back under
 * load, kills the service, and restores its backup. Uses the machine's npm, with its cache or the registry.
 */
const run = promisify(execFile)
const megabytesMax = 470

const aside = await mkdtemp(join(tmpdir(), 'atelier-production-'))
// The account of PostgreSQL needs access to it.
await chmod(aside, 0o711)
try {
  const releases = await packReleases()
  printLine('the archives of both releases are packed')
  await testRelease(await installArchive(releases.current, join(aside, 'opt')))
  const services = await openExternalServices()
  const deployment = await archiveDeployment({ folder: aside, settings: services.settings })
  try {
    await runDeploymentDrill(deployment, { releases, services })
  } finally {
    await deployment.close()
    await services.close()
  }
} finally {
  await rm(aside, { recursive: true, force: true })
}

async function testRelease(folder: string): Promise<void> {
  printLine('npm ci --omit=dev is done')
  await assertNoTools(folder)

  const env = { ...bareEnvironment, DATA_DIR: join(aside, 'first'), PORT: '0', LOG_LEVEL: 'error' }
  const atelier = async (...words: string[]) =>
    (await run(process.execPath, ['bin/atelier.js', ...words], { cwd: folder, env, maxBuffer: 2 ** 26 })).stdout
  assert('openapi' in (JSON.parse(await atelier('openapi')) as object), 'atelier openapi printed no document')
  assert((await atelier('schema')).includes('type Query'), 'atelier schema printed no schema')
  await atelier('migrate')
  printLine('openapi, schema and migrate work')
  await useService(folder, { env, doctor: () => atelier('doctor', '--embedded') })
}

async function assertNoTools(folder: string): Promise<void> {
  const { devDependencies } = await manifestIn(folder)
  // Production packages depend on these themselves; test/gates/packages.test.ts has the list.
  const shared = ['@types/node', '@types/pg', 'ajv-formats', 'yaml']
  const tools = Object.keys(devDependencies).filter((name) => existsSync(join(folder, 'node_modules', name)) && !shared.includes(name))
  assert(tools.length === 0, `development packages are installed: ${tools.join(', ')}`)
  const megabytes = (await bytesBelow(join(folder, 'node_modules'))) / 1e6
  assert(megabytes <= megabytesMax, `node_modules weighs ${megabytes.toFixed(0)} MB, more than ${megabytesMax}`)
  printLine(`no development package is installed; node_modules has ${megabytes.toFixed(0)} MB`)
}

type Installation = { env: Record<string, string>; doctor(): Promise<unknown> }

async function useService(folder: string, { env, doctor }: Installation): Promise<void> {
  const child = spawn(process.execPath, ['bin/atelier.js', 'start'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    const lines: string[] = []
    for await (const line of createInterface({ input: child.stdout })) if (lines.push(line) && line.startsWith('docs:')) break
    const [, api = ''] = /^ready (\S+)$/m.exec(lines.join('\n')) ?? []
    const [, key = ''] = /^demo key: (\S+)$/m.exec(lines.join('\n')) ?? []
    const started = await fetch(`${api}/generations?wait=60`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', 'Idempotency-Key': 'production' },
      body: JSON.stringify({ familyId: 'sandbox-image', prompt: 'A lighthouse at dusk' }),
    })
    const { state } = (await started.json()) as { state?: string }
    assert(state === 'ready', `a generation ended as ${state} (${started.status})`)
    for (const path of ['/integrations', '/docs', '/readyz']) {
      const { status } = await fetch(new URL(path, api))
      assert(status === 200, `${path} answers ${status}`)
    }
    await doctor()
    printLine('start generated an image, serves the admin UI, and doctor found no fault')
  } finally {
    const gone = new Promise((resolve) => child.once('exit', resolve))
    if (child.exitCode === null && child.kill()) await gone
  }
  assert(child.exitCode === 0, `on SIGTERM it ended with ${child.exitCode}`)
}

async function bytesBelow(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  const sizes = await Promise.all(files.map(async ({ parentPath, name }) => (await lstat(join(parentPath, name))).size))
  return sizes.reduce((sum, size) => sum + size, 0)
}

async function manifestIn(folder: string): Promise<{ version: string; devDependencies: Record<string, string> }> {
  return JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Awaited<ReturnType<typeof manifestIn>>
}

function assert(holds: boolean, otherwise: string): void {
  if (!holds) throw new Error(otherwise)
}
