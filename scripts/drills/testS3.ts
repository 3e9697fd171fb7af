import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { access, constants } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createBucket } from './createBucket.ts'
import { startGateway } from './radosGateway.ts'

/**
 * Runs the tests of storage, downloads and locked backups against a real S3 server: the one at `TEST_S3_URL` (with the usual AWS variables for credentials),
 * or a Ceph gateway that is started for the run.
 */
const tests = ['test/storage', 'test/http/results/sendObject', 'test/backup/targetObjectLock']
const packages = { 'ceph-mon': 'ceph-mon', 'ceph-osd': 'ceph-osd', radosgw: 'radosgw', ceph: 'ceph-common' }
const bucket = 'atelier-tests'
const run = promisify(execFile)

const stopping = new AbortController()
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stopping.abort(new Error(`stopped by ${name}`)))

try {
  process.exitCode = process.env['TEST_S3_URL'] ? await runTests({}) : await testAgainstGateway()
} catch (error) {
  const shown: unknown = stopping.signal.aborted ? stopping.signal.reason : error
  console.error(shown instanceof Error ? shown.message : shown)
  process.exitCode = 1
}

async function testAgainstGateway(): Promise<number> {
  await installMissing()
  const started = performance.now()
  console.log('starting a Ceph cluster in memory with its S3 gateway …')
  const gateway = await startGateway(stopping.signal)
  try {
    await createBucket(gateway, bucket, stopping.signal)
    console.log(`${gateway.endpoint} is up after ${Math.round(performance.now() - started)} ms`)
    return await runTests({
      TEST_S3_URL: `s3://${bucket}?endpoint=${gateway.endpoint}`,
      AWS_ACCESS_KEY_ID: gateway.accessKeyId,
      AWS_SECRET_ACCESS_KEY: gateway.secretAccessKey,
    })
  } finally {
    await gateway.stop()
    console.log('the cluster was removed; the installed packages stay')
  }
}

async function installMissing(): Promise<void> {
  const missing = []
  for (const [command, name] of Object.entries(packages)) if (!(await isInstalled(command))) missing.push(name)
  if (missing.length === 0) return

  const otherwise =
    'or name a server in TEST_S3_URL (s3://bucket?endpoint=http://…), its credentials in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY'
  const wanted = missing.join(' ')
  if (!(await isInstalled('apt-get'))) throw new Error(`apt-get is not available to install ${wanted}: install Ceph manually, ${otherwise}`)
  if (process.getuid?.() !== 0) throw new Error(`installing ${wanted} needs root: run this as root, ${otherwise}`)

  console.log(`installing ${wanted} …`)
  const options = { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }, signal: stopping.signal, maxBuffer: 64 * 1024 * 1024 }
  try {
    await run('apt-get', ['update'], options)
    await run('apt-get', ['install', '-y', '--no-install-recommends', ...missing], options)
  } catch (error) {
    const words = (error as { stderr?: string }).stderr?.trim().split('\n').slice(-5).join('\n') ?? String(error)
    throw new Error(`apt-get could not install ${wanted}:\n${words}\nInstall Ceph manually, ${otherwise}`, { cause: error })
  }
}

async function isInstalled(command: string): Promise<boolean> {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  const found = await Promise.allSettled(folders.map((folder) => access(join(folder, command), constants.X_OK)))
  return found.some(({ status }) => status === 'fulfilled')
}

async function runTests(env: Record<string, string>): Promise<number> {
  const main = fileURLToPath(new URL('vitest.mjs', import.meta.resolve('vitest/package.json')))
  const vitest = spawn(process.execPath, [main, 'run', ...tests, ...process.argv.slice(2)], {
    env: { ...process.env, ...env },
    stdio: 'inherit',
  })
  const stop = () => vitest.kill()
  stopping.signal.addEventListener('abort', stop)
  const [code] = await once(vitest, 'exit')
  return code ?? 1
}
