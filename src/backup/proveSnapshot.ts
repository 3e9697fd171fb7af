import { forEachConcurrent } from '../concurrency/forEachConcurrent.ts'
import type { Log } from '../database/log.ts'
import { openPool } from '../database/pool/pool.ts'
import { noProgress, type ShowProgress } from '../database/progress.ts'
import { checkBooksInSteps } from '../domain/credits/checkBooks.ts'
import type { Storage } from '../storage/storage.ts'
import { objectsAtOnce } from './copyObject.ts'
import { loadDatabase } from './loadDatabase.ts'
import type { Manifest } from './manifest.ts'
import { listedIntact } from './objectList.ts'
import { requireIntact } from './readRows.ts'
import { objectKeyOf } from './target.ts'

/** The recount of a large ledger may take minutes. */
const recountTimeoutMs = 3_600_000
/** Objects whose size is compared, spread over the whole list; `backup --check` reads all. */
const sampleMax = 1_000
const namedMax = 100

export type Proof = { rows: number; objects: number; faults: string[] }

type Proving = { target: Storage; manifest: Manifest; scratchUrl: string; log: Log; showProgress?: ShowProgress }

/**
 * Restores the rows of a snapshot into an empty scratch database, migrates them to this release, recounts the books there, and compares a
 * sample of the objects in the target with the list. Rejects if the restore fails; `faults` are what a restored deployment would have.
 */
export async function proveSnapshot({ target, manifest, scratchUrl, log, showProgress = noProgress }: Proving): Promise<Proof> {
  await requireIntact(target, manifest.objects.list)
  await loadDatabase(scratchUrl, { target, manifest, withJobs: true, claimStorage: async () => {}, log, onTable: () => {}, showProgress })
  const pool = openPool(scratchUrl, { max: 1, log, queryTimeoutMilliseconds: recountTimeoutMs })
  try {
    const books = await checkBooksInSteps(pool, (step) => showProgress({ ...step, label: 'books' }))
    const objects = await compareObjects(target, manifest)
    const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0)
    return { rows, objects: objects.compared, faults: [...books.faults, ...objects.faults] }
  } finally {
    await pool.end()
  }
}

async function compareObjects(target: Storage, { objects }: Manifest): Promise<{ compared: number; faults: string[] }> {
  const step = Math.ceil(objects.count / sampleMax)
  const missing = new Set(objects.missing.map(({ key }) => key))
  const found = { compared: 0, faults: [] as string[] }
  let number = 0
  await forEachConcurrent(listedIntact(target, objects.list), objectsAtOnce, async (object) => {
    number += 1
    if (number % step !== 0 || object.settling || missing.has(object.key)) return
    found.compared += 1
    const size = await target.size(objectKeyOf(object))
    if (size !== undefined && (object.sizeBytes ?? size) === size) return
    const fault = size === undefined ? 'is missing in the target' : `has ${size} bytes in the target instead of ${object.sizeBytes}`
    if (found.faults.length < namedMax) found.faults.push(`${object.key} ${fault}`)
  })
  return found
}
