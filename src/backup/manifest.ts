import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { z } from 'zod'
import type { KeyRing } from '../secrets/keyRing.ts'
import { ObjectNotFound, type Storage } from '../storage/storage.ts'
import { snapshotKeyOf } from './target.ts'

const format = 1

const writtenFile = z.object({ key: z.string(), sizeBytes: z.int(), sha256: z.string() })
/** A file of a snapshot as it lies in the target; the checksum is that of its bytes as they lie there. */
export type WrittenFile = z.infer<typeof writtenFile>

/** These become SQL when they are restored, and others than the service may write where backups lie. */
const identifier = '(?:[a-z_][a-z0-9_]*|"[A-Za-z0-9_]+")'
const tableName = z.string().regex(new RegExp(`^${identifier}(?:[.]${identifier})?$`))
const columnName = z.string().regex(new RegExp(`^${identifier}$`))

const table = z.object({ name: tableName, columns: z.array(columnName), rows: z.int(), files: z.array(writtenFile) })
export type WrittenTable = z.infer<typeof table>

const missing = z.object({ key: z.string(), why: z.enum(['deleted', 'lost', 'damaged']) })
/** `deleted` while the backup ran; `lost`: its row was there and it was not; `damaged`: of another size or content than its row says. */
export type Missing = z.infer<typeof missing>

const manifest = z.object({
  format: z.literal(format),
  name: z.string(),
  release: z.string(),
  startedAt: z.iso.datetime(),
  seconds: z.number(),
  serverVersion: z.string(),
  migrations: z.array(z.object({ version: z.int(), name: z.string(), checksum: z.string() })).min(1),
  tables: z.array(table),
  sequences: z.array(z.object({ name: z.string(), lastValue: z.string(), isCalled: z.boolean() })),
  jobs: table,
  objects: z.object({
    list: writtenFile,
    count: z.int(),
    bytes: z.int(),
    copied: z.int(),
    copiedBytes: z.int(),
    missingCount: z.int(),
    /** The first thousand. */
    missing: z.array(missing),
  }),
  /** Sealed with SECRET_KEY: whoever restores it shows with this that they have the key. It tells nothing of the key itself. */
  keyProbe: z.base64(),
})

/** All that a snapshot consists of. It is written last: a snapshot without one is none. */
export type Manifest = z.infer<typeof manifest>

const index = z.object({
  format: z.literal(format),
  snapshots: z.array(z.object({ name: z.string(), isWhole: z.boolean() })),
  owner: z.string().optional(),
})
/** Which snapshots a target has, the oldest first, those that were cut off included. */
export type SnapshotIndex = z.infer<typeof index>['snapshots']

const indexKey = 'snapshots.json'

export async function readIndex(storage: Storage): Promise<SnapshotIndex> {
  return (await indexOf(storage)).snapshots
}

/** Which database the target holds snapshots of; none where there are none yet, or an earlier release made them. */
export async function ownerOf(storage: Storage): Promise<string | undefined> {
  return (await indexOf(storage)).owner
}

/** Its owner stays who it is, unless one is given. */
export async function writeIndex(storage: Storage, snapshots: SnapshotIndex, owner?: string): Promise<void> {
  await writeJson(storage, indexKey, { format, snapshots, owner: owner ?? (await ownerOf(storage)) })
}

async function indexOf(storage: Storage): Promise<z.infer<typeof index>> {
  const found = await readJson(storage, indexKey)
  return found === undefined ? { format, snapshots: [] } : read(index, found, indexKey)
}

const sealPurpose = 'backup_manifest'

/** Writes the manifest, and before it a seal of its bytes with SECRET_KEY, which shows at a restore that nobody else wrote it. */
export async function writeManifest(storage: Storage, written: Omit<Manifest, 'format'>, ring: KeyRing): Promise<void> {
  const bytes = bytesOf({ format, ...written })
  await storage.put(snapshotKeyOf(written.name, 'manifest.seal'), Readable.from([ring.seal(digestOf(bytes), sealPurpose)]), {
    contentType: 'application/octet-stream',
  })
  await putJson(storage, snapshotKeyOf(written.name, 'manifest.json'), bytes)
}

/**
 * The manifest of that snapshot, for a restore: it decides what is loaded into a database, so it is parsed from the very bytes that
 * SECRET_KEY sealed. `acceptUnsealed`: one without a seal, as earlier releases wrote it, passes. Rejects with a RangeError.
 */
export async function readSealedManifest(
  storage: Storage,
  name: string,
  { ring, acceptUnsealed }: { ring: KeyRing; acceptUnsealed: boolean },
): Promise<Manifest> {
  const bytes = await storage.read(snapshotKeyOf(name, 'manifest.json'))
  const seal = await storage.read(snapshotKeyOf(name, 'manifest.seal')).catch((error: unknown) => {
    if (error instanceof ObjectNotFound) return undefined
    throw error
  })
  if (seal) {
    const sealed = ring.open(seal, sealPurpose)
    if (!sealed) throw new RangeError('SECRET_KEY does not open the seal of the backup: give the key that was in use when it was made')
    if (!sealed.equals(digestOf(bytes))) throw new RangeError('the manifest of the backup was changed after SECRET_KEY had sealed it')
  } else if (!acceptUnsealed) {
    throw new RangeError(
      'the backup has no seal: if it was made by a release before 1.0 and you trust where it lies, add --accept-unsealed',
    )
  }
  return named(JSON.parse(bytes.toString()), name)
}

/** The manifest of that snapshot; `undefined` where none was written. Rejects with a RangeError for one that this release cannot read. */
export async function readManifest(storage: Storage, name: string): Promise<Manifest | undefined> {
  const key = snapshotKeyOf(name, 'manifest.json')
  const found = await readJson(storage, key)
  return found === undefined ? undefined : named(found, name)
}

/** A manifest speaks for its own folder alone: under the name of another snapshot it would pass with that one's seal. */
function named(found: unknown, name: string): Manifest {
  const key = snapshotKeyOf(name, 'manifest.json')
  const parsed = read(manifest, found, key)
  if (parsed.name !== name) throw new RangeError(`${key} is not what a backup of ours holds: it names the snapshot ${parsed.name}`)
  return parsed
}

function read<Shape>(schema: z.ZodType<Shape>, found: unknown, key: string): Shape {
  const { data, success } = schema.safeParse(found)
  if (success) return data
  const { format: theirs } = (found ?? {}) as { format?: unknown }
  throw new RangeError(
    typeof theirs === 'number' && theirs > format ? 'the backup was made by a newer release' : `${key} is not what a backup of ours holds`,
  )
}

async function readJson(storage: Storage, key: string): Promise<unknown> {
  try {
    return JSON.parse((await storage.read(key)).toString())
  } catch (error) {
    if (error instanceof ObjectNotFound) return undefined
    throw error
  }
}

async function writeJson(storage: Storage, key: string, value: unknown): Promise<void> {
  await putJson(storage, key, bytesOf(value))
}

async function putJson(storage: Storage, key: string, bytes: Buffer): Promise<void> {
  await storage.put(key, Readable.from([bytes]), { contentType: 'application/json' })
}

function bytesOf(value: unknown): Buffer {
  return Buffer.from(`${JSON.stringify(value, undefined, 2)}\n`)
}

function digestOf(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest()
}
