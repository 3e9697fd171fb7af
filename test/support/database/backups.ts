import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { chooseSnapshot } from '../../../src/backup/chooseSnapshot.ts'
import { loadDatabase } from '../../../src/backup/loadDatabase.ts'
import { makeBackup } from '../../../src/backup/makeBackup.ts'
import type { Manifest } from '../../../src/backup/manifest.ts'
import { openTarget, type Target } from '../../../src/backup/target.ts'
import { startGeneration } from '../../../src/domain/generations/start/startGeneration.ts'
import { diskStorage } from '../../../src/storage/disk.ts'
import type { Storage } from '../../../src/storage/storage.ts'
import { testApp } from '../app.ts'
import { aTeamWithKey } from '../factories.ts'
import { generationTransitions } from '../generations/generationTransitions.ts'
import { memoryFolder } from '../processes/memoryFolder.ts'
import { loopback } from '../webhooks/webhooks.ts'
import { emptyDatabase } from './database.ts'

type Load = { url: string; target: Target; claimStorage?: (restoreId: string) => Promise<void> }

/** A service with a team, for backups and restores; folders and databases are removed after the test. */
export async function aDeploymentWithBackups() {
  const secretKey = Buffer.alloc(32, 3)
  const app = await testApp({ secretKey, clock: 'database', settings: loopback })
  const { services } = app
  const moves = generationTransitions(services)
  const team = await aTeamWithKey(services)
  const source = { ...services, databaseUrl: app.databaseUrl }
  const start = async (): Promise<string> => {
    const request = { familyId: 'sandbox-image', prompt: 'tabs\tand\nlines \\N' }
    return String((await startGeneration(team.context, team.spender, { request, idempotencyKey: undefined })).generation['generationId'])
  }
  return {
    app,
    services,
    moves,
    team,
    secretKey,
    source,
    start,
    aTarget,
    aStorage,
    aDatabase,
    close: app.close,
    async aResult(content: string): Promise<string> {
      const id = await start()
      await moves.begin(id)
      await moves.gather(id)
      await moves.finish(id, Buffer.from(content))
      return id
    },
    back: (target: Target, { keep }: { keep?: number } = {}): Promise<Manifest> =>
      makeBackup(source, { target, release: '0.0.0', keep, signal: new AbortController().signal }),
    async load({ url, target, claimStorage = async () => {} }: Load) {
      const manifest = await chooseSnapshot(target.storage, undefined)
      return loadDatabase(url, { target: target.storage, manifest, withJobs: true, claimStorage, log: services.log, onTable: () => {} })
    },
  }
}

export async function aFolder(): Promise<string> {
  const folder = await mkdtemp(join(memoryFolder(), 'atelier-backup-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

async function aTarget(): Promise<Target & { folder: string }> {
  const folder = await aFolder()
  const target = await openTarget(folder)
  onTestFinished(() => target.storage.close())
  return { ...target, folder }
}

async function aStorage(): Promise<Storage> {
  const storage = diskStorage({ folder: await aFolder() })
  onTestFinished(() => storage.close())
  return storage
}

async function aDatabase(): Promise<string> {
  const { url, drop } = await emptyDatabase()
  onTestFinished(drop)
  return url
}
