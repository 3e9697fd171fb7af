import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { descendantsOf, signal } from '../../../test/support/chaos/descendants.ts'
import { freePort } from '../../../test/support/processes/freePort.ts'
import { awaitReady } from './awaitReady.ts'
import type { Deployment, Settings } from './deployment.ts'
import { writeCatalog } from './externalServices.ts'
import { bareEnvironment, installArchive, linkRelease } from './installArchive.ts'
import type { ReleaseArchive } from './releaseArchives.ts'

const run = promisify(execFile)

type Running = { ended: Promise<number | null>; stop(): Promise<number | null>; kill(): Promise<void> }

/** The plain archive: `atelier start` with the embedded database, without a supervisor. Installs releases in `folder`/opt. */
export async function archiveDeployment({ folder, settings }: { folder: string; settings: Settings }): Promise<Deployment<ReleaseArchive>> {
  const [opt, catalog, backups] = ['opt', 'catalog', 'backups'].map((name) => join(folder, name)) as [string, string, string]
  await writeCatalog(catalog)
  const port = await freePort()
  const env = { ...bareEnvironment, ...settings, CATALOG_PATH: catalog, PORT: String(port), DATA_DIR: join(folder, 'data') }
  let current = ''
  let running: Running | undefined
  const start = async () => {
    const log = join(folder, 'service.log')
    const started = await startArchive(current, { env, log })
    running = started
    const ended = started.ended.then(async (code) => {
      throw new Error(`start ended with ${code}: ${(await readFile(log, 'utf8')).slice(-2_000)}`)
    })
    await Promise.race([awaitReady(port), ended])
  }
  const stop = async () => {
    const code = await running?.stop()
    running = undefined
    if (code !== 0 && code !== undefined) throw new Error(`the service ended with ${code} on SIGTERM`)
  }
  const atelier = async (...words: string[]) =>
    (await run(process.execPath, ['bin/atelier.js', ...words], { cwd: current, env, maxBuffer: 2 ** 26 })).stdout
  const change = async (release: ReleaseArchive) => {
    const installed = await installArchive(release, opt)
    await stop()
    current = await linkRelease(installed, opt)
    await start()
  }
  return {
    name: 'archive',
    port,
    async deploy(release) {
      current = await linkRelease(await installArchive(release, opt), opt)
      await start()
    },
    upgrade: change,
    rollBack: change,
    kills: [{ words: 'SIGKILL of the service, its workers and its PostgreSQL', kill: async () => running?.kill(), recover: start }],
    async doctor() {
      await atelier('doctor', '--embedded')
    },
    async backup() {
      await atelier('backup', '--to', backups, '--keep', '14', '--embedded')
      await atelier('backup', '--check', '--to', backups)
      await atelier('backup', '--verify', '--to', backups, '--embedded')
    },
    async restore() {
      await stop()
      const secret = await readFile(join(env.DATA_DIR, 'secret'), 'utf8')
      Object.assign(env, { DATA_DIR: join(folder, 'restored'), SECRET_KEY: secret.trim() })
      await atelier('restore', '--from', backups, '--embedded')
      await start()
      await atelier('backup', '--to', backups, '--take-over', '--embedded')
      await atelier('backup', '--verify', '--to', backups, '--embedded')
    },
    async close() {
      await running?.kill()
    },
  }
}

/** Starts the service of the release in `cwd`, and appends its output to the file `log`. */
async function startArchive(cwd: string, { env, log }: { env: Settings; log: string }): Promise<Running> {
  const output = await open(log, 'a')
  const child = spawn(process.execPath, ['bin/atelier.js', 'start'], { cwd, env, stdio: ['ignore', output.fd, output.fd] })
  await output.close()
  const ended = once(child, 'exit').then(([code]) => code as number | null)
  return {
    ended,
    stop: async () => {
      child.kill('SIGTERM')
      return await ended
    },
    async kill() {
      const all = [...(await descendantsOf(child.pid)), ...(child.pid === undefined ? [] : [child.pid])]
      for (const pid of all) signal(pid, 'SIGKILL')
      await ended
    },
  }
}
