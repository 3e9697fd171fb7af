import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { z } from 'zod'
import type { KeyRing } from '../secrets/keyRing.ts'
import { ObjectNotFound, type Storage } from '../storage/storage.ts'
import { snapshotKeyOf } from './target.ts'

const format = 1

const writtenFile = z.object({ key: z.string(), sizeBytes: z.int(), sha256: z.string() })
/** A file of a snapshot in the target, with the checksum of its stored bytes. */
export type WrittenFile = z.infer<typeof writtenFile>

/** Names become SQL in a restore, and others may have write access to the target, so the format is checked. */
const identifier = '(?:[a-z_][a-z0-9_]*|"[A-Za-z0-9_]+")'
const tableName = z.string().regex(new RegExp(`^${identifier}(?:[.]${identifier})?$`))
const columnName = z.string().regex(new RegExp(`^${identifier}$`))

const table = z.object({ name: tableName, columns: z.array(columnName), rows: z.int(), files: z.array(writtenFile) })
export type WrittenTable = z.infer<typeof table>

const missing = z.object({ key: z.string(), why: z.enum(['deleted', 'lost', 'damaged']) })
/** `deleted` while the backup ran; `lost`: it has a row, but no object; `damaged`: size or checksum differ from its row. */
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
    /** At most a thousand. */
    missing: z.array(missing),
  }),
  /** Sealed with SECRET_KEY: a restore checks with it that it has the same key. It does not reveal the key. */
  keyProbe: z.base64(),
})

/** The content of a snapshot. It is written last: a snapshot without a manifest is incomplete. */
export type Manifest = z.infer<typeof manifest>

const index = z.object({
  format: z.literal(format),
  snapshots: z.array(z.object({ name: z.string(), isWhole: z.boolean() })),
  owner: z.string().optional(),
})
/** The snapshots of a target, oldest first, including incomplete ones. */
export type SnapshotIndex = z.infer<typeof index>['snapshots']

const indexKey = 'snapshots.json'

export async function readIndex(storage: Storage): Promise<SnapshotIndex> {
  return (await indexOf(storage)).snapshots
}

/** The database whose snapshots the target has; undefined if it has none, or they are of an earlier release. */
export async function ownerOf(storage: Storage): Promise<string | undefined> {
  return (await indexOf(storage)).owner
}

/** Writes the index; keeps the owner unless one is given. */
export async function writeIndex(storage: Storage, snapshots: SnapshotIndex, owner?: string): Promise<void> {
  await writeJson(storage, indexKey, { format, snapshots, owner: owner ?? (await ownerOf(storage)) })
}

async function indexOf(storage: Storage): Promise<z.infer<typeof index>> {
  const found = await readJson(storage, indexKey)
  return found === undefined ? { format, snapshots: [] } : read(index, found, indexKey)
}

const sealPurpose = 'backup_manifest'

/** Writes a seal of the manifest with SECRET_KEY, then the manifest. The seal proves at a restore that this deployment wrote it. */
export async function writeManifest(storage: Storage, written: Omit<Manifest, 'format'>, ring: KeyRing): Promise<void> {
  const bytes = bytesOf({ format, ...written })
  await storage.put(snapshotKeyOf(written.name, 'manifest.seal'), Readable.from([ring.seal(digestOf(bytes), sealPurpose)]), {
    contentType: 'application/octet-stream',
  })
  await putJson(storage, snapshotKeyOf(written.name, 'manifest.json'), bytes)
}

/**
 * Reads the manifest of a snapshot for a restore. It decides what is loaded into a database, so exactly the sealed bytes are parsed.
 * `acceptUnsealed`: accepts a manifest without a seal, as earlier releases wrote it. Rejects with a RangeError.
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
    if (!sealed) throw new RangeError('SECRET_KEY does not open the seal of the backup: set the key that was in use when it was made')
    if (!sealed.equals(digestOf(bytes))) throw new RangeError('the manifest of the backup was changed after it was sealed')
  } else if (!acceptUnsealed) {
    throw new RangeError('the backup has no seal: if it was made by 0.2.0 or older and you trust its location, add --accept-unsealed')
  }
  return named(JSON.parse(bytes.toString()), name)
}

/** Reads the manifest of a snapshot; `undefined` if it has none. Rejects with a RangeError if this release cannot read it. */
export async function readManifest(storage: Storage, name: string): Promise<Manifest | undefined> {
  const key = snapshotKeyOf(name, 'manifest.json')
  const found = await readJson(storage, key)
  return found === undefined ? undefined : named(found, name)
}

/** Checks the name in the manifest: a copy in the folder of another snapshot would have a valid seal. */
function named(found: unknown, name: string): Manifest {
  const key = snapshotKeyOf(name, 'manifest.json')
  const parsed = read(manifest, found, key)
  if (parsed.name !== name) throw new RangeError(`${key} is not of this backup: it names the snapshot ${parsed.name}`)
  return parsed
}

function read<Shape>(schema: z.ZodType<Shape>, found: unknown, key: string): Shape {
  const { data, success } = schema.safeParse(found)
  if (success) return data
  const { format: theirs } = (found ?? {}) as { format?: unknown }
  throw new RangeError(
    typeof theirs === 'number' && theirs > format ? 'the backup was made by a newer release' : `${key} is not a valid file of a backup`,
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
