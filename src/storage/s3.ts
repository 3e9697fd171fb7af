import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { DeleteObjectCommand, GetObjectCommand, HeadObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import { checkStorage } from './checkStorage.ts'
import { consumeSource, ignoreStreamErrors } from './consumeSource.ts'
import { measure } from './measure.ts'
import { assertByteRange, assertObjectKey } from './objectKey.ts'
import { ObjectNotFound, type Storage } from './storage.ts'

const partBytes = 5 * 1024 * 1024
const partsAtOnce = 2
const connectTimeoutMs = 5_000
const responseTimeoutMs = 60_000
const idleTimeoutMs = 120_000
const socketsMax = 512

export type S3Options = {
  bucket: string
  /** Prefix of all keys, without slashes at its ends; none when empty. */
  prefix?: string
  /** Address of a server other than Amazon's. It uses path-style addressing, and the region defaults to `us-east-1`. */
  endpoint?: string
  region?: string
  /** Sends a checksum with each object, as buckets with object lock require. */
  sendsChecksums?: boolean
}

/**
 * Creates storage in a bucket of Amazon S3 or a compatible server. Credentials, and a missing region, come from the default provider chain
 * of the AWS SDK. Content over 5 MiB is uploaded in parts; a failed upload is aborted.
 */
export function s3Storage(options: S3Options): Storage {
  const client = makeClient(options)
  const place = `the bucket ${options.bucket}${options.endpoint ? ` at ${options.endpoint}` : ''}`
  const addressOf = (key: string) => {
    assertObjectKey(key)
    return { Bucket: options.bucket, Key: options.prefix ? `${options.prefix}/${key}` : key }
  }

  const storage: Storage = {
    put: (key, source, { contentType, signal } = {}) =>
      consumeSource(source, signal, async () => {
        const measured = measure(source)
        const params = {
          ...addressOf(key),
          Body: ignoreStreamErrors(Readable.from(measured.chunks, { highWaterMark: 1 })),
          ...(contentType ? { ContentType: contentType } : {}),
        }
        const upload = new Upload({ client, params, partSize: partBytes, queueSize: partsAtOnce, leavePartsOnError: false })
        await upload.done()
        return { key, ...measured.result() }
      }),

    async take(key, path, options) {
      await storage.put(key, createReadStream(path), options)
    },

    async open(key, range) {
      if (range) assertByteRange(range)
      const wanted = { ...addressOf(key), ...(range ? { Range: `bytes=${range.start}-${range.end}` } : {}) }
      const answer = await client.send(new GetObjectCommand(wanted)).catch((error) => translate(error, key))
      if (!(answer.Body instanceof Readable)) throw new Error(`${place} answered without content`)
      const body = ignoreStreamErrors(answer.Body)
      if (range === undefined || answer.ContentRange?.startsWith(`bytes ${range.start}-`)) return body
      body.destroy()
      throw new Error(`${place} does not serve ranges`)
    },

    read: async (key, range) => await buffer(await storage.open(key, range)),

    async size(key) {
      const wanted = new HeadObjectCommand(addressOf(key))
      const answer = await client.send(wanted).catch((error) => (nameOf(error) === 'NotFound' ? undefined : Promise.reject(error)))
      return answer?.ContentLength
    },

    async remove(key) {
      await client.send(new DeleteObjectCommand(addressOf(key)))
    },

    check: () => checkStorage(storage, place),

    async close() {
      client.destroy()
    },
  }
  return storage
}

function makeClient({ endpoint, region, sendsChecksums = false }: S3Options): S3Client {
  return new S3Client({
    ...(endpoint ? { endpoint, forcePathStyle: true, region: region ?? 'us-east-1' } : {}),
    ...(region ? { region } : {}),
    // Many servers do not support newer checksums. The signature covers the SHA-256 of the content in any case.
    requestChecksumCalculation: sendsChecksums ? 'WHEN_SUPPORTED' : 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: connectTimeoutMs,
      requestTimeout: responseTimeoutMs,
      throwOnRequestTimeout: true,
      socketTimeout: idleTimeoutMs,
      httpAgent: { maxSockets: socketsMax },
      httpsAgent: { maxSockets: socketsMax },
    },
  })
}

// By name: some servers send no message, and a missing bucket has the status of a missing object.
function translate(error: unknown, key: string): never {
  if (nameOf(error) === 'NoSuchKey') throw new ObjectNotFound(key)
  if (nameOf(error) === 'InvalidRange') throw new RangeError(`the range starts after the end of ${key}`, { cause: error })
  throw error
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : ''
}
