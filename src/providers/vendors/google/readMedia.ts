import type { Json } from '../../../contract/json.ts'
import { readBase64Json } from '../../outputs/readBase64Json.ts'
import { allowUnfitAfterFirst, type FirstOutputStager, stageFirstOutput } from '../../outputs/stageFirstOutput.ts'
import type { JobSpec, ProviderContext } from '../../provider.ts'

/** Signatures of thoughts may be longer than all the rest of an answer. */
const passOver = ['thoughtSignature', 'thought_signature', 'signature']

/** Reads an answer while it comes: the first file in it that fits is kept, and around the files stands `body`. */
export async function readMedia(
  stream: AsyncIterable<Buffer>,
  { outputType }: JobSpec,
  context: ProviderContext,
): Promise<{ body: Json | undefined; media: FirstOutputStager }> {
  const media = stageFirstOutput(context, outputType)
  const take = (bytes: AsyncGenerator<Buffer>) => media.offer(bytes)
  return { body: await readBase64Json(stream, { names: ['data'], passOver, take }).catch(allowUnfitAfterFirst(media)), media }
}
