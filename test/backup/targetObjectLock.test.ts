import { randomBytes } from 'node:crypto'
import {
  CopyObjectCommand,
  CreateBucketCommand,
  DeleteObjectCommand,
  ListObjectVersionsCommand,
  PutObjectCommand,
  PutObjectLockConfigurationCommand,
  S3Client,
} from '@aws-sdk/client-s3'
import { describe, expect, onTestFinished, test } from 'vitest'
import { checkBackup } from '../../src/backup/checkBackup.ts'
import { chooseSnapshot } from '../../src/backup/chooseSnapshot.ts'
import { readIndex } from '../../src/backup/manifest.ts'
import { openTarget, type Target } from '../../src/backup/target.ts'
import { aDeploymentWithBackups } from '../support/database/backups.ts'

const s3Url = process.env['TEST_S3_URL']

/** With `npm run test:s3`: the server has to support object lock. */
describe.skipIf(s3Url === undefined)('a target with object lock', () => {
  test('no version of a backup can be deleted before its retention ends, and what is written over it hides it only', async () => {
    const { client, bucket, target, versions, restoreVersions } = await aLockedTarget()
    const { aResult, back, close } = await aDeploymentWithBackups()
    onTestFinished(close)
    await aResult('kept for a day')
    await back(target)
    const kept = await versions()
    expect(kept.length).toBeGreaterThan(3)
    for (const { Key, VersionId } of kept) {
      await expect(client.send(new DeleteObjectCommand({ Bucket: bucket, Key, VersionId }))).rejects.toMatchObject({ name: 'AccessDenied' })
      await client.send(new PutObjectCommand({ Bucket: bucket, Key, Body: 'nothing', ChecksumAlgorithm: 'CRC32' }))
      await client.send(new DeleteObjectCommand({ Bucket: bucket, Key }))
    }
    await expect(chooseSnapshot(target.storage, undefined)).rejects.toThrow('there is no complete backup')

    await restoreVersions(kept)
    const snapshot = await chooseSnapshot(target.storage, undefined)
    expect(await checkBackup(target.storage, snapshot)).toMatchObject({ count: 0 })
  })

  test('`keep` hides older snapshots, the next backup succeeds, and a hidden snapshot can be shown and restored', async () => {
    const { target, versions, restoreVersions } = await aLockedTarget()
    const { aResult, back, close } = await aDeploymentWithBackups()
    onTestFinished(close)
    await aResult('in both')
    const first = await back(target)
    const kept = await versions()
    await aResult('in the second')
    const second = await back(target, { keep: 1 })
    expect(await readIndex(target.storage)).toEqual([{ name: second.name, isWhole: true }])
    expect(await checkBackup(target.storage, second)).toMatchObject({ count: 0 })
    await back(target, { keep: 1 })

    await restoreVersions(kept)
    const shown = await chooseSnapshot(target.storage, first.name)
    expect(await checkBackup(target.storage, shown)).toMatchObject({ count: 0 })
  })
})

type Version = { Key: string; VersionId: string }

/** A bucket that keeps each version for a day, and a target in it. */
async function aLockedTarget() {
  const address = new URL(s3Url ?? '')
  const endpoint = address.searchParams.get('endpoint') ?? ''
  const bucket = `locked-${randomBytes(6).toString('hex')}`
  const client = new S3Client({ endpoint, region: address.searchParams.get('region') ?? 'us-east-1', forcePathStyle: true })
  onTestFinished(() => client.destroy())
  await client.send(new CreateBucketCommand({ Bucket: bucket, ObjectLockEnabledForBucket: true }))
  const rule = { DefaultRetention: { Mode: 'COMPLIANCE', Days: 1 } } as const
  const lock = { ObjectLockEnabled: 'Enabled', Rule: rule } as const
  await client.send(new PutObjectLockConfigurationCommand({ Bucket: bucket, ObjectLockConfiguration: lock }))
  const target: Target = await openTarget(`s3://${bucket}/atelier?${new URLSearchParams({ endpoint, checksums: 'always' })}`)
  onTestFinished(() => target.storage.close())
  const versions = async (): Promise<Version[]> => {
    const { Versions = [] } = await client.send(new ListObjectVersionsCommand({ Bucket: bucket }))
    return Versions.filter(({ IsLatest }) => IsLatest).map(({ Key = '', VersionId = '' }) => ({ Key, VersionId }))
  }
  // As docs/recovery.md says: newer versions have a retention too, so that they cannot be removed.
  const restoreVersions = async (kept: Version[]): Promise<void> => {
    for (const { Key, VersionId } of kept)
      await client.send(new CopyObjectCommand({ Bucket: bucket, Key, CopySource: `${bucket}/${Key}?versionId=${VersionId}` }))
  }
  return { client, bucket, target, versions, restoreVersions }
}
