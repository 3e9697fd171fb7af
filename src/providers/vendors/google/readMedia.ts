import type { Json } from '../../../contract/json.ts'
import { readBase64Json } from '../../base64Json.ts'
import { type KeepFirst, keepFirst, unlessKept } from '../../keepFirst.ts'
import type { JobSpec, ProviderContext } from '../../provider.ts'

/** Signatures of thoughts may be longer than all the rest of an answer. */
const passOver = ['thoughtSignature', 'thought_signature', 'signature']

/** Reads an answer while it comes: the first file in it that fits is kept, and around the files stands `body`. */
export async function readMedia(
  stream: AsyncIterable<Buffer>,
  { outputType }: JobSpec,
  context: ProviderContext,
): Promise<{ body: Json | undefined; media: KeepFirst }> {
  const media = keepFirst(context, outputType)
  const take = (bytes: AsyncGenerator<Buffer>) => media.offer(bytes)
  return { body: await readBase64Json(stream, { names: ['data'], passOver, take }).catch(unlessKept(media)), media }
}
