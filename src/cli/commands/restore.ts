import { parseArgs } from 'node:util'
import { chooseSnapshot } from '../../backup/chooseSnapshot.ts'
import { claimStorage, releaseStorage } from '../../backup/claimStorage.ts'
import { loadDatabase, requireRestorable } from '../../backup/loadDatabase.ts'
import { type Manifest, readSealedManifest } from '../../backup/manifest.ts'
import { requireIntact } from '../../backup/readRows.ts'
import { restoreObjects } from '../../backup/restoreObjects.ts'
import { openTarget, type Target } from '../../backup/target.ts'
import type { Config } from '../../config/readConfig.ts'
import { contextFor } from '../../domain/context.ts'
import { failAllOpenWork } from '../../domain/generations/ending/failAllOpenWork.ts'
import { bindSql } from '../../domain/sql.ts'
import { endAllCallbacks } from '../../domain/webhooks/callbacks/endAllCallbacks.ts'
import { pauseAllSubscriptions } from '../../domain/webhooks/subscriptions/pauseAllSubscriptions.ts'
import { commandLogger } from '../boot/logger.ts'
import { type Deployment, openForBackup } from '../boot/openForBackup.ts'
import { openForCommand } from '../boot/openForCommand.ts'
import { embeddedOption, printDatabase, readCommandConfig } from '../boot/readCommandConfig.ts'
import { checkRestored } from '../doctor/doctor.ts'
import { progressReporter } from '../progress.ts'

export const restoreUsage = `atelier restore --from <folder or s3://bucket/prefix?…> [--snapshot <name>] [options]

Restores a backup, by default the newest, into an empty database and storage, and checks the books and objects of the copy.
If a restore is interrupted, run it again to continue it.

  --storage-in-place   use the storage of the deployment that is gone: only missing objects are copied
  --as-copy            for a copy beside a running deployment: the next two together, and not with --storage-in-place
  --fail-open-work     open generations fail and release their holds, instead of continuing
  --pause-webhooks     every subscription is paused, and callbacks are not sent
  --objects-only       restores no database: restores objects that the current database names and the storage has lost;
                       not with the three above
  --accept-unsealed    the backup is of a release without seals (0.2.0 or older), and nobody else has write access to it
  --embedded           into the embedded database in DATA_DIR, which is created; otherwise DATABASE_URL is needed

See docs/recovery.md.
`

type RestoreArguments = {
  from: string
  snapshot: string | undefined
  isInPlace: boolean
  failsOpenWork: boolean
  pausesWebhooks: boolean
  objectsOnly: boolean
  acceptUnsealed: boolean
  embedded: boolean
}

/**
 * `atelier restore`: returns 0 when the copy is sound, 1 if `doctor` found a fault, 2 for wrong arguments. Throws a RangeError if it is
 * refused.
 */
export async function restore(args: string[]): Promise<number> {
  const asked = readArguments(args)
  if (!asked) {
    process.stderr.write(restoreUsage)
    return 2
  }
  const { embedded, objectsOnly } = asked
  const config = await readCommandConfig('restore', { embedded, creates: !objectsOnly })
  printDatabase(config)
  const target = await openTarget(asked.from)
  try {
    const { name } = await chooseSnapshot(target.storage, asked.snapshot)
    const deployment = await openForBackup(config, { log: commandLogger(config), joins: objectsOnly })
    try {
      const { acceptUnsealed } = asked
      const manifest = await readSealedManifest(target.storage, name, { ring: deployment.ring, acceptUnsealed })
      await requireRestorable(manifest, deployment.ring)
      return asked.objectsOnly
        ? await restoreMissingObjects(deployment, target, manifest)
        : await restoreAll(deployment, { asked, target, manifest, config })
    } finally {
      await deployment.close()
    }
  } finally {
    await target.storage.close()
  }
}

function readArguments(args: string[]): RestoreArguments | undefined {
  const flag = { type: 'boolean', default: false } as const
  const options = {
    from: { type: 'string' },
    snapshot: { type: 'string' },
    'storage-in-place': flag,
    'as-copy': flag,
    'fail-open-work': flag,
    'pause-webhooks': flag,
    'objects-only': flag,
    'accept-unsealed': flag,
    ...embeddedOption,
  } as const
  try {
    const { values } = parseArgs({ args, options })
    // A copy that shares the storage would remove objects that the original creates.
    const sharesStorage = values['as-copy'] && values['storage-in-place']
    // These options apply only if a database is restored.
    const isCopy = values['as-copy'] || values['fail-open-work'] || values['pause-webhooks']
    if (values.from === undefined || sharesStorage || (values['objects-only'] && isCopy)) return undefined
    return {
      from: values.from,
      snapshot: values.snapshot,
      isInPlace: values['storage-in-place'],
      failsOpenWork: values['as-copy'] || values['fail-open-work'],
      pausesWebhooks: values['as-copy'] || values['pause-webhooks'],
      objectsOnly: values['objects-only'],
      acceptUnsealed: values['accept-unsealed'],
      embedded: values.embedded,
    }
  } catch {
    return undefined
  }
}

async function restoreMissingObjects({ pool, storage }: Deployment, target: Target, manifest: Manifest): Promise<number> {
  const restored = await restoreObjects({ target: target.storage, storage, sql: bindSql(pool), showProgress: progressReporter() }, manifest)
  printLine(`of ${restored.count} objects that both snapshot ${manifest.name} and the database name, ${restored.copied} were restored`)
  for (const key of restored.missingNamed) printLine(`missing: ${key}`)
  return restored.missing === 0 ? 0 : 1
}

type Restoring = { asked: RestoreArguments; target: Target; manifest: Manifest; config: Config }

async function restoreAll({ databaseUrl, storage, log }: Deployment, { asked, target, manifest, config }: Restoring): Promise<number> {
  await requireIntact(target.storage, manifest.objects.list)
  let claimed: string | undefined
  const claim = async (restoreId: string) => {
    if (asked.isInPlace) return
    await claimStorage(storage, { target: target.storage, objects: manifest.objects, restoreId })
    claimed = restoreId
  }
  const showProgress = progressReporter()
  const withJobs = !asked.failsOpenWork
  const loaded = await loadDatabase(databaseUrl, {
    target: target.storage,
    manifest,
    withJobs,
    claimStorage: claim,
    log,
    onTable: printLine,
    showProgress,
  })
  const objects = await restoreObjects({ target: target.storage, storage, showProgress }, manifest)
  printLine(`objects: ${objects.copied} of ${objects.count} copied, ${objects.copiedBytes} bytes`)
  for (const key of objects.missingNamed) printLine(`missing: ${key}`)
  const opened = await openForCommand({ ...config, database: { kind: 'external', url: databaseUrl } }, { restoring: true })
  try {
    const context = contextFor(opened.services, { kind: 'system' })
    if (asked.pausesWebhooks) printLine(`webhooks: ${await pauseAllSubscriptions(context)} subscriptions paused`)
    if (asked.pausesWebhooks) printLine(`callbacks: ${await endAllCallbacks(context)} dropped or closed`)
    if (asked.failsOpenWork) printLine(`open work: ${await failAllOpenWork(context)} generations failed, their holds are released`)
    await loaded.finish()
    if (claimed !== undefined) await releaseStorage(storage, claimed)
    return (await checkRestored(opened)) ? 0 : 1
  } finally {
    await opened.close()
  }
}

function printLine(line: string): void {
  process.stdout.write(`${line}\n`)
}
