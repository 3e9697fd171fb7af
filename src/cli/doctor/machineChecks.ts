import { statfs } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Config } from '../../config/readConfig.ts'
import { certificateEnd } from '../../network/certificateEnd.ts'
import { type Check, CheckFault } from './check.ts'

const dayMs = 86_400_000
const certificateDays = 14
/** A disk with less than both is too full, as in the alert AtelierDiskFilling. */
export const freeDisk = { share: 0.1, bytes: 20e9 }

/** The checks of the machine on which the command runs, and of the proxy before the service. */
export function machineChecks({
  dataFolder,
  storageUrl,
  baseUrl,
  database,
}: Pick<Config, 'dataFolder' | 'storageUrl' | 'baseUrl' | 'database'>): Check[] {
  const folders = [dataFolder, ...(storageUrl.startsWith('file:') ? [fileURLToPath(storageUrl)] : [])]
  const isSecure = baseUrl?.startsWith('https:') === true
  // No SQL function returns the free space of PostgreSQL's disk.
  const unchecked = database.kind === 'external' ? '; the disk of PostgreSQL is not checked' : ''
  return [
    { name: 'disk', run: () => disksOf(folders, unchecked) },
    ...(isSecure ? [{ name: 'certificate', run: () => certificateOf(baseUrl) }] : []),
  ]
}

async function disksOf(folders: readonly string[], unchecked: string): Promise<string> {
  const found = await Promise.all(
    folders.map(async (folder) => {
      const { bavail, blocks, bsize } = await statfs(folder)
      return { folder, free: bavail * bsize, share: bavail / Math.max(blocks, 1) }
    }),
  )
  const words = found.map(({ folder, free, share }) => `${(free / 1e9).toFixed(1)} GB (${Math.floor(share * 100)} %) of ${folder} are free`)
  if (found.some(({ free, share }) => free < freeDisk.bytes && share < freeDisk.share)) throw new CheckFault(words.join('; '))
  return words.join('; ') + unchecked
}

async function certificateOf(baseUrl: string): Promise<string> {
  const end = await certificateEnd(new URL(baseUrl)).catch((error: Error) => error)
  // The public address may be unreachable from this machine.
  if (end instanceof Error) return `could not be read from ${baseUrl}: ${end.message}`
  const days = (end.getTime() - Date.now()) / dayMs
  const words = `that of ${baseUrl} ends on ${end.toISOString().slice(0, 10)}`
  if (days < certificateDays) throw new CheckFault(words, new Date(end.getTime() - certificateDays * dayMs))
  return words
}
