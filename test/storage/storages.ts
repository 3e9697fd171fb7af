import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ListMultipartUploadsCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3'
import { diskStorage } from '../../src/storage/disk.ts'
import { openStorage } from '../../src/storage/openStorage.ts'
import type { Storage } from '../../src/storage/storage.ts'

/** Opens an empty storage. Lists its medium, including unfinished writes, and removes it. */
export type TestStorage = { storage: Storage; contents(): Promise<string[]>; dispose(): Promise<void> }

/** The drivers under test: disk always, S3 when `TEST_S3_URL` names a bucket (see `npm run test:s3`). */
export function storageKinds(): [string, () => Promise<TestStorage>][] {
  const s3Url = process.env['TEST_S3_URL']
  return [['disk', openDisk], ...(s3Url ? [['S3', () => openS3(s3Url)] as [string, () => Promise<TestStorage>]] : [])]
}

/** A new folder, in memory if the system supports it. */
export async function testFolder(): Promise<string> {
  return mkdtemp(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'atelier-storage-'))
}

/** Every file below `folder`, including hidden ones. */
export async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => !entry.isDirectory()).map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
}

async function openDisk(): Promise<TestStorage> {
  const folder = await testFolder()
  const storage = diskStorage({ folder })
  return {
    storage,
    contents: async () => (await filesIn(folder)).sort(),
    async dispose() {
      await storage.close()
      await rm(folder, { recursive: true })
    },
  }
}

async function openS3(url: string): Promise<TestStorage> {
  const address = new URL(url)
  const prefix = `test-${randomBytes(6).toString('hex')}`
  address.pathname = `/${prefix}`
  const storage = await openStorage(address.href)
  const endpoint = address.searchParams.get('endpoint')
  const region = address.searchParams.get('region')
  const client = new S3Client({
    ...(endpoint ? { endpoint, forcePathStyle: true, region: 'us-east-1' } : {}),
    ...(region ? { region } : {}),
  })
  const place = { Bucket: address.hostname, Prefix: `${prefix}/` }
  return {
    storage,
    async contents() {
      const [objects, uploads] = await Promise.all([
        client.send(new ListObjectsV2Command(place)),
        client.send(new ListMultipartUploadsCommand(place)),
      ])
      const entries = [...(objects.Contents ?? []), ...(uploads.Uploads ?? [])]
      return entries.map((entry) => (entry.Key ?? '').slice(prefix.length + 1)).sort()
    },
    async dispose() {
      client.destroy()
      await storage.close()
    },
  }
}
