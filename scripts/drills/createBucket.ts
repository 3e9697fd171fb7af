import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3'
import type { Gateway } from './radosGateway.ts'

/** Creates a bucket at the S3 gateway of a test run. */
export async function createBucket(
  { endpoint, accessKeyId, secretAccessKey }: Gateway,
  name: string,
  abortSignal: AbortSignal,
): Promise<void> {
  const credentials = { accessKeyId, secretAccessKey }
  const client = new S3Client({ endpoint, region: 'us-east-1', forcePathStyle: true, credentials })
  await client.send(new CreateBucketCommand({ Bucket: name }), { abortSignal })
  client.destroy()
}
