import { chown, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { makeCluster, startService } from '../../../test/support/chaos/cluster.ts'
import { postgresIn } from '../../../test/support/chaos/machine.ts'
import { freePort } from '../../../test/support/processes/freePort.ts'
import { type Container, type MountedImage, startContainer } from '../container/runImage.ts'
import { awaitReady } from './awaitReady.ts'
import type { Deployment, Release, Settings } from './deployment.ts'
import { writeCatalog } from './externalServices.ts'

type Options = {
  folder: string
  settings: Settings
  /** The mounted image of a release. */
  imageOf(release: Release): MountedImage
  /** The folder of PostgreSQL programs; those of the package by default. */
  programs: string | undefined
}

/** The image: a `serve` and a `work` with one volume at /data, on a PostgreSQL of the machine, as in deploy/compose.yaml. */
export async function imageDeployment({ folder, settings, imageOf, programs }: Options): Promise<Deployment> {
  const [data, database] = [join(folder, 'data'), join(folder, 'database')]
  await mkdir(database)
  const cluster = await makeCluster(await postgresIn(programs), database)
  await startService(cluster)
  // `backup --verify` creates a database on this server, because the image has no PostgreSQL.
  await cluster.ask('alter role atelier createdb')
  await mkdir(data, { mode: 0o700 })
  await writeCatalog(join(data, 'catalog'))
  const port = await freePort()
  const env: Settings = {
    ...settings,
    SECRET_KEY: Buffer.alloc(32, 9).toString('base64'),
    DATABASE_URL: `postgresql://atelier@127.0.0.1:${cluster.port}/atelier`,
    STORAGE_URL: 'file:///data/objects',
    CATALOG_PATH: '/data/catalog',
    BASE_URL: `http://127.0.0.1:${port}`,
    PORT: String(port),
  }
  let image: MountedImage
  let serve: Container | undefined
  let work: Container | undefined
  const begin = (...args: string[]) => startContainer(image, { args, env, data })
  const command = async (...args: string[]) => {
    const container = await begin(...args)
    const code = await container.ended
    if (code !== 0) throw new Error(`atelier ${args.join(' ')} ended with ${code}: ${container.output()}`)
  }
  const start = async () => {
    ;[serve, work] = await Promise.all([begin('serve'), begin('work')])
    await Promise.all([awaitReady(port), work.waitForLine(/^ready /)])
  }
  const replace = async () => {
    await serve?.stop()
    serve = await begin('serve')
    await awaitReady(port)
    const earlier = work
    work = await begin('work')
    await work.waitForLine(/^ready /)
    await earlier?.stop()
  }
  return {
    name: 'image',
    port,
    async deploy(release) {
      image = imageOf(release)
      const [uid = 0, gid = 0] = image.user.split(':').map(Number)
      await chown(data, uid, gid)
      await command('migrate')
      await start()
    },
    async upgrade(release) {
      image = imageOf(release)
      await command('migrate')
      await replace()
    },
    async rollBack(release) {
      image = imageOf(release)
      await replace()
    },
    kills: [
      {
        words: 'SIGKILL of both containers',
        kill: async () => void (await Promise.all([serve?.kill(), work?.kill()])),
        recover: start,
      },
    ],
    doctor: () => command('doctor'),
    async backup() {
      await command('backup', '--to', '/data/backups', '--keep', '14')
      await command('backup', '--check', '--to', '/data/backups')
      await command('backup', '--verify', '--to', '/data/backups')
    },
    async restore() {
      await Promise.all([serve?.stop(), work?.stop()])
      await cluster.ask('create database atelier_restored owner atelier')
      Object.assign(env, {
        DATABASE_URL: `postgresql://atelier@127.0.0.1:${cluster.port}/atelier_restored`,
        STORAGE_URL: 'file:///data/restored-objects',
      })
      await command('restore', '--from', '/data/backups')
      await start()
      await command('backup', '--to', '/data/backups', '--take-over')
      await command('backup', '--verify', '--to', '/data/backups')
    },
    async close() {
      await Promise.all([serve?.kill(), work?.kill()])
      await cluster.break('immediate')
    },
  }
}
