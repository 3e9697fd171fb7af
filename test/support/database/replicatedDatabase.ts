import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { postgresAccount } from '../../../src/database/embedded/postgresAccount.ts'
import { postgresBinaries } from '../../../src/database/embedded/postgresBinaries.ts'
import { migrateDatabase } from '../../../src/database/migrations/migrate.ts'
import { type Cluster, copyStandby, makeCluster, startService } from '../chaos/cluster.ts'
import { memoryFolder } from '../processes/memoryFolder.ts'

/** A server with our tables and a streaming standby, both in memory and only for this test. */
export type ReplicatedDatabase = {
  primary: { cluster: Cluster; url: string }
  standby: { cluster: Cluster; url: string }
  close(): Promise<void>
}

const silent = { debug() {}, info() {}, warn() {}, error() {} }

/** Starts both with the PostgreSQL programs of this run. Stops them when a step fails. */
export async function openReplicatedDatabase(): Promise<ReplicatedDatabase> {
  const folder = await mkdtemp(join(memoryFolder(), 'atelier-replicated-'))
  const servers: Cluster[] = []
  const close = async () => {
    // The standby first, because a primary waits for its standbys.
    for (const server of servers.toReversed()) await server.break('immediate')
    await rm(folder, { recursive: true, force: true })
  }
  try {
    await chmod(folder, 0o711)
    const account = await postgresAccount(folder)
    const programs = process.env['TEST_POSTGRES_PROGRAMS'] || undefined
    const found = { ...(await postgresBinaries({ account, ownFolder: folder, programs })), account, baseBackup: undefined }
    const part = async (name: string) => {
      await mkdir(join(folder, name))
      return join(folder, name)
    }
    const primary = await makeCluster(found, await part('primary'))
    servers.push(primary)
    await startService(primary)
    await migrateDatabase(urlOf(primary), { log: silent })
    await primary.stop()
    const standby = await copyStandby(found, await part('standby'), primary)
    servers.push(standby)
    await primary.start()
    await standby.start()
    return { primary: { cluster: primary, url: urlOf(primary) }, standby: { cluster: standby, url: urlOf(standby) }, close }
  } catch (error) {
    await close()
    throw error
  }
}

function urlOf({ port }: Cluster): string {
  return `postgresql://atelier@127.0.0.1:${port}/atelier`
}
