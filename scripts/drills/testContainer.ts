import { execFile } from 'node:child_process'
import { chmod, chown, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { startEmbeddedPostgres } from '../../src/database/embedded/embeddedPostgres.ts'
import { freePort } from '../../test/support/processes/freePort.ts'
import type { BaseImages } from '../release/image/packImage.ts'
import { ensureBaseImages } from './container/baseImages.ts'
import { buildImage, imageExists } from './container/buildImage.ts'
import { madeImage } from './container/madeImage.ts'
import { assertSameFiles, loadImage, packTwice } from './container/releaseImage.ts'
import { type Container, type MountedImage, mountImage, startContainer } from './container/runImage.ts'
import type { Release } from './deployments/deployment.ts'
import { openExternalServices } from './deployments/externalServices.ts'
import { imageDeployment } from './deployments/imageDeployment.ts'
import { checkOutPrevious } from './deployments/releaseArchives.ts'
import { runDeploymentDrill } from './deployments/runDeploymentDrill.ts'
import { printLine } from './printLine.ts'

/**
 * Builds the image of a release twice, which must give the same bytes, and from the sources, which must give the same files. Runs it as
 * deploy/kubernetes does: not as root, with a read-only root and no capabilities. A worker and a server in it generate an image, on the
 * PostgreSQL programs in the folder of the argument, or the embedded ones. Then deploys the image of the previous release, upgrades it to
 * this one and back under load, kills the containers, and restores the backup. Needs root, buildah, crun and debootstrap, and about 15 minutes.
 */
const root = join(import.meta.dirname, '../..')
const run = promisify(execFile)
const megabytesMax = 400
const [programs] = process.argv.slice(2)
const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string }
const image = `localhost/atelier:${version}`
/** A file such as operators keep beside the sources: it must be in no layer of the image. */
const canary = { path: join(root, 'deploy/canary.env'), content: 'SECRET_KEY=canary-of-the-container-test' }

const quiet = { debug() {}, info() {}, warn: logError, error: logError }

const missing = await missingTools()
if (missing === undefined) await test()
else {
  process.stderr.write(`test:container needs ${missing}\n`)
  process.exitCode = 1
}

async function missingTools(): Promise<string | undefined> {
  if (process.getuid?.() !== 0) return 'root'
  for (const tool of ['buildah', 'crun', 'debootstrap'])
    if (!(await run(tool, ['--version']).catch(() => false))) return `${tool}, which is not installed`
  return undefined
}

async function test(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'atelier-container-'))
  // The account of PostgreSQL needs access to it.
  await chmod(folder, 0o711)
  try {
    const { bases, from } = await ensureBaseImages()
    printLine(`base images: ${from}`)
    const mounted = await withCanary(() => makeImage(folder, bases))
    try {
      await checkNoCanary(mounted)
      const megabytes = mounted.bytes / 1e6
      assert(megabytes < megabytesMax, `the image has ${megabytes.toFixed(0)} MB, more than ${megabytesMax}`)
      printLine(`the image has ${megabytes.toFixed(0)} MB`)
      const postgres = await startEmbeddedPostgres({ folder: join(folder, 'postgres'), programs, log: quiet })
      await checkImageRuns(mounted, { databaseUrl: postgres.url, data: join(folder, 'first') }).finally(() => postgres.stop())
      await deployImage(mounted, { folder, bases })
    } finally {
      await mounted.unmount()
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Mounts the image of the archive that a release has. */
async function makeImage(folder: string, bases: BaseImages): Promise<MountedImage> {
  const packed = await packTwice(folder, bases)
  printLine(`two builds for ${packed.manifests.map(({ platform }) => platform).join(' and ')} give ${packed.digest}`)
  await loadImage(packed, image)
  await build(root, `${image}-from-sources`, bases)
  const mounted = await mountImage(image)
  await assertSameFiles(mounted, `${image}-from-sources`)
  printLine('an image from the sources has the same files')
  return mounted
}

async function build(sources: string, name: string, bases: BaseImages): Promise<void> {
  const startedAt = performance.now()
  await buildImage(sources, name, bases)
  printLine(`${name}: buildah build took ${Math.round((performance.now() - startedAt) / 1000)} s`)
}

/** Deploys the image of the previous release, upgrades it to this one and back under load, kills it, and restores its backup. */
async function deployImage(current: MountedImage, { folder, bases }: { folder: string; bases: BaseImages }): Promise<void> {
  const { version: earlier, sources } = await checkOutPrevious()
  const name = `localhost/atelier:${earlier}`
  if (!(await imageExists(name))) await build(sources, name, bases)
  const previous = await mountImage(name)
  const services = await openExternalServices()
  const imageOf = (release: Release) => (release.version === earlier ? previous : current)
  const deployment = await imageDeployment({ folder, settings: services.settings, imageOf, programs })
  try {
    const releases = { previous: { version: earlier }, current: { version } }
    await runDeploymentDrill(deployment, { releases, services })
  } finally {
    await deployment.close()
    await services.close()
    await previous.unmount()
  }
}

async function withCanary<Made>(work: () => Promise<Made>): Promise<Made> {
  await writeFile(canary.path, canary.content)
  return work().finally(() => rm(canary.path, { force: true }))
}

async function checkNoCanary({ root: mountedRoot }: MountedImage): Promise<void> {
  // grep exits 1 when nothing matches.
  const found = await run('grep', ['-rlF', canary.content, join(mountedRoot, 'app')]).then(
    ({ stdout }) => stdout,
    () => '',
  )
  assert(found === '', `the image has an untracked file: ${found}`)
  printLine('no untracked file is in the image')
}

async function checkImageRuns(mounted: MountedImage, { databaseUrl, data }: { databaseUrl: string; data: string }): Promise<void> {
  const [uid = 0, gid = 0] = mounted.user.split(':').map(Number)
  await mkdir(data, { mode: 0o700 })
  await chown(data, uid, gid)
  const port = await freePort()
  const serviceToken = 'token-of-the-test-of-the-container-image'
  const env = {
    DATABASE_URL: databaseUrl,
    SECRET_KEY: Buffer.alloc(32, 9).toString('base64'),
    SERVICE_TOKEN: serviceToken,
    PORT: String(port),
    LOG_LEVEL: 'warn',
  }
  const start = (...args: string[]) => startContainer(mounted, { args, env, data })
  const migrate = await start('migrate')
  assert((await migrate.ended) === 0, 'migrate failed')
  const startedAt = performance.now()
  const [serve, work] = [await start('serve'), await start('work')]
  try {
    await checkProcesses({ serve, work }, { port, serviceToken, startedAt })
  } finally {
    for (const each of [serve, work]) await each.kill()
  }
}

type Processes = { serve: Container; work: Container }
type Trial = { port: number; serviceToken: string; startedAt: number }

async function checkProcesses({ serve, work }: Processes, { port, serviceToken, startedAt }: Trial): Promise<void> {
  await Promise.all([serve.waitForLine(/^ready /), work.waitForLine(/^ready /)])
  printLine(`serve and work were ready after ${Math.round(performance.now() - startedAt)} ms`)
  const origin = `http://127.0.0.1:${port}`
  for (const path of ['/healthz', '/readyz', '/docs', '/integrations']) {
    const { status } = await fetch(`${origin}${path}`)
    assert(status === 200, `${path} answers ${status}`)
  }
  printLine(`they made an image of ${await madeImage(origin, serviceToken)} bytes`)
  await checkInside(serve, work)
  for (const [name, container] of Object.entries({ serve, work })) {
    const { code, milliseconds } = await container.stop()
    assert(code === 0 && milliseconds < 15_000, `${name} ended with ${code} after ${milliseconds} ms`)
    printLine(`${name} ended ${Math.round(milliseconds)} ms after SIGTERM`)
  }
}

async function checkInside(serve: Container, work: Container): Promise<void> {
  await serve.exec('node', '/app/bin/atelier.js', 'health')
  const refused = await serve.exec('touch', '/app/written').then(
    () => false,
    () => true,
  )
  assert(refused, 'the root file system is writable')
  // Inspector processes stay for a while. A limit of 1024 open files shows that prlimit and setpriv ran.
  const script = 'for p in /proc/[0-9]*; do if grep -q -- --permission $p/cmdline; then id -u; grep "open files" $p/limits; fi; done'
  const confined = await work.exec('sh', '-c', script)
  assert(/^Max open files +1024 /m.test(confined), `no file worker is confined as expected: ${confined}`)
  const processes = (await work.exec('sh', '-c', 'cat /proc/1/comm; grep -l "State:.*zombie" /proc/[0-9]*/status || true')).trim()
  assert(processes === 'node' || processes === 'MainThread', `process 1 and dead children: ${processes}`)
  printLine('account, root file system, health, confinement of workers: as expected')
}

function logError(fields: object, message: string): void {
  process.stderr.write(`${message} ${JSON.stringify(fields)}\n`)
}

function assert(holds: boolean, otherwise: string): void {
  if (!holds) throw new Error(otherwise)
}
