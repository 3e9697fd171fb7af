import type { Json } from '../../../contract/json.ts'
import { readBase64Json } from '../../outputs/readBase64Json.ts'
import { allowUnfitAfterFirst, type FirstOutputStager, stageFirstOutput } from '../../outputs/stageFirstOutput.ts'
import type { JobSpec, ProviderContext } from '../../provider.ts'

/** Thought signatures may be longer than the rest of the answer. */
const skippedFields = ['thoughtSignature', 'thought_signature', 'signature']

/** Streams an answer. The first matching file is staged; `body` is the rest of the answer. */
export async function readMedia(
  { status, body }: { status: number; body: AsyncIterable<Buffer> },
  { outputType }: JobSpec,
  context: ProviderContext,
): Promise<{ body: Json | undefined; media: FirstOutputStager }> {
  const media = stageFirstOutput(context, outputType)
  const take = (bytes: AsyncGenerator<Buffer>) => media.offer(bytes)
  const options = { names: ['data'], passOver: skippedFields, status, take }
  return { body: await readBase64Json(body, options).catch(allowUnfitAfterFirst(media)), media }
}
