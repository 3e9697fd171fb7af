import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { openStorage } from '../../src/storage/openStorage.ts'
import { filesIn, testFolder } from './storages.ts'

test('a file URL opens its folder, including escapes in the path', async () => {
  const folder = await testFolder()
  const storage = await openStorage(pathToFileURL(join(folder, 'with space, ä and #')).href)
  await storage.put('a', Readable.from(['content']))
  await storage.close()

  expect(await filesIn(folder)).toEqual(['with space, ä and #/a'])
  await rm(folder, { recursive: true })
})

test.each([
  's3://bucket',
  's3://bucket/',
  's3://my.old_Bucket/some/prefix/',
  's3://bucket/prefix?region=eu-central-1',
  's3://bucket/prefix?endpoint=http://127.0.0.1:9000&region=auto',
  's3://bucket?checksums=always',
  's3://bucket?endpoint=https%3A%2F%2Fexample.com%2Fstorage%2Fs3',
])('the URL %s is accepted without a connection', async (url) => {
  await (await openStorage(url)).close()
})

test.each([
  ['', /&region=…$/],
  ['/var/lib/atelier', /&region=…$/],
  ['file:relative', /&region=…$/],
  ['file://host/path', /&region=…$/],
  ['http://127.0.0.1/bucket', /&region=…$/],
  ['s3', /&region=…$/],
  ['file:///', /must name a folder$/],
  ['file:///data?x=1', /written %3F or %23$/],
  ['file:///data#x', /written %3F or %23$/],
  ['file:///data%2Fx', /a percent escape that is not allowed$/],
  ['file:///data%00x', /must name a folder$|a percent escape that is not allowed$/],
  ['s3:bucket', /the name of the bucket is not valid$/],
  ['s3:///prefix', /the name of the bucket is not valid$/],
  ['s3://b', /the name of the bucket is not valid$/],
  ['s3://bucket:9000/prefix', /the name of the bucket is not valid$/],
  ['s3://bucket/prefix#x', /the name of the bucket is not valid$/],
  ['s3://bucket/a//b', /the prefix takes/],
  ['s3://bucket/.a', /the prefix takes/],
  ['s3://bucket/a%20b', /the prefix takes/],
  ['s3://hunter2:hunter2@bucket/prefix', /credentials come from the AWS variables$/],
  ['s3://bucket?hunter=2', /there is no setting "hunter"$/],
  ['s3://bucket?region=', /the name of the region is not valid$/],
  ['s3://bucket?checksums=never', /checksums takes always$/],
  ['s3://bucket?region=a&region=b', /region is given more than once$/],
  ['s3://bucket?endpoint=', /the endpoint is an http or https address/],
  ['s3://bucket?endpoint=127.0.0.1:9000', /the endpoint is an http or https address/],
  ['s3://bucket?endpoint=ftp://example.com', /the endpoint is an http or https address/],
  ['s3://bucket?endpoint=https://hunter2:hunter2@example.com', /the endpoint is an http or https address/],
])('the URL %j is refused in one line with the accepted formats', async (url, words) => {
  const refusal: unknown = await openStorage(url).catch((error: unknown) => error)

  expect(refusal).toBeInstanceOf(RangeError)
  const { message } = refusal as RangeError
  expect(message).toMatch(/^takes file:\/\/\/path or s3:\/\/bucket\/prefix/)
  expect(message).toMatch(words)
  expect(message).not.toMatch(/\n|hunter2/)
})
