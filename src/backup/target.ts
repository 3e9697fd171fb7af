import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { openStorage } from '../storage/openStorage.ts'
import type { Storage } from '../storage/storage.ts'

/** The location of backups. `words`: its name for messages, without credentials. */
export type Target = { storage: Storage; words: string }

/**
 * Opens a folder of this machine, or a bucket by its `s3://` URL. Rejects with a RangeError of one line. Refuses symbolic links: others may
 * have write access to the target, and a link could bring any file of this machine into the restored storage.
 */
export async function openTarget(address: string): Promise<Target> {
  const url = /^(file|s3):/.test(address) ? address : pathToFileURL(resolve(address)).href
  const { protocol, host, pathname } = new URL(url)
  return { storage: await openStorage(url, { refuseSymlinks: true }), words: `${protocol}//${host}${pathname}` }
}

/**
 * The key of an object in the target, from its key and checksum, shared by all snapshots. A restored deployment may create other content
 * under the same key.
 */
export function objectKeyOf({ key, sha256 }: { key: string; sha256: string | undefined }): string {
  return `objects/${key}${sha256 === undefined ? '' : `.${sha256.slice(0, 16)}`}`
}

export function snapshotKeyOf(snapshot: string, file: string): string {
  return `snapshots/${snapshot}/${file}`
}

/** Names a snapshot by the database's time, in a format that is a valid key and sorts by time. */
export function snapshotNameOf(moment: Date): string {
  return moment.toISOString().toLowerCase().replaceAll(/[-:.]/g, '')
}
