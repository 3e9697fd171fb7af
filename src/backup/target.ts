import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { openStorage } from '../storage/openStorage.ts'
import type { Storage } from '../storage/storage.ts'

/** Where backups lie: `words` names it to people, without what an address may hold besides. */
export type Target = { storage: Storage; words: string }

/**
 * Opens a folder of this machine, or a bucket by its `s3://` address. Rejects with a RangeError of one line. Others than the service may
 * write where backups lie: a link there would bring any file of this machine into the restored storage.
 */
export async function openTarget(address: string): Promise<Target> {
  const url = /^(file|s3):/.test(address) ? address : pathToFileURL(resolve(address)).href
  const { protocol, host, pathname } = new URL(url)
  return { storage: await openStorage(url, { refuseSymlinks: true }), words: `${protocol}//${host}${pathname}` }
}

/**
 * Objects lie under their keys and what is known of their content, once for all snapshots: work that a restored deployment does again
 * keeps another content under the same key.
 */
export function objectKeyOf({ key, sha256 }: { key: string; sha256: string | undefined }): string {
  return `objects/${key}${sha256 === undefined ? '' : `.${sha256.slice(0, 16)}`}`
}

export function snapshotKeyOf(snapshot: string, file: string): string {
  return `snapshots/${snapshot}/${file}`
}

/** By the moment of the database, in a form that is a key and sorts by time. */
export function snapshotNameOf(moment: Date): string {
  return moment.toISOString().toLowerCase().replaceAll(/[-:.]/g, '')
}
