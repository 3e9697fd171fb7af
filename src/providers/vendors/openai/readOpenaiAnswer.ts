import type { Json } from '../../../contract/json.ts'
import type { TrustedAnswer } from '../../../network/trustedRequest.ts'
import { getNumberAtPath, getPath } from '../../connector/jsonPath.ts'
import { readBase64Json } from '../../outputs/readBase64Json.ts'
import { allowUnfitAfterFirst, type FirstOutputStager, stageFirstOutput } from '../../outputs/stageFirstOutput.ts'
import type { Cost, JobSpec, Output, ProviderContext } from '../../provider.ts'
import type { OpenaiSettings } from './openaiSettings.ts'

/** `error`: the error of an answer without a result; `undefined` when it is not readable. */
export type OpenaiAnswer = { kind: 'made'; outputs: Output[]; cost?: Cost } | { kind: 'refused'; error: Json | undefined }

type ReadOptions = { spec: JobSpec; rates: OpenaiSettings['rates']; context: ProviderContext }

/** Streams an answer. Compatible servers send bytes, base64 or URLs, whichever was requested, and some send an error with status 200. */
export async function readOpenaiAnswer(answer: TrustedAnswer, { spec, rates, context }: ReadOptions): Promise<OpenaiAnswer> {
  const first = stageFirstOutput(context, spec.outputType)
  const body = await readBody(answer, first)
    .catch(allowUnfitAfterFirst(first))
    .finally(() => answer.body.destroy())
  const isRefused = !isSuccess(answer) || errorIn(body) !== undefined
  const outputs = [...first.outputs(), ...addressesIn(body)]
  if (first.left() > 0) context.log.warn({ left: first.left() }, 'OpenAI returned more outputs than were used')
  if (isRefused || outputs.length === 0) return { kind: 'refused', error: errorIn(body) }
  const cost = openaiCost(body, { rates, prompt: spec.prompt })
  return { kind: 'made', outputs, ...(cost ? { cost } : {}) }
}

/** The JSON of the answer. Its files go to `first`. */
async function readBody({ status, headers, body }: TrustedAnswer, first: FirstOutputStager) {
  const type = (headers['content-type']?.split(';')[0] ?? '').trim().toLowerCase()
  if (isSuccess({ status }) && isMedia(type)) {
    await first.offer(chunksOf(body), ...(/^(?:image|audio)\//.test(type) ? [type] : []))
    return undefined
  }
  return readBase64Json(body, { names: ['b64_json', 'audio'], status, take: (bytes) => first.offer(bytes) })
}

function isSuccess({ status }: Pick<TrustedAnswer, 'status'>): boolean {
  return status >= 200 && status <= 299
}

/** True for the bytes of a result. JSON has several media types. */
function isMedia(type: string): boolean {
  return /^(?:image|audio|video)\//.test(type) || type === 'application/octet-stream' || type === 'application/ogg'
}

async function* chunksOf(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield* body
}

function errorIn(body: Json | undefined): Json | undefined {
  const [error] = getPath(body, 'error')
  return error === null ? undefined : error
}

function addressesIn(body: Json | undefined): Output[] {
  return getPath(body, 'data.*.url').flatMap((url) => (typeof url === 'string' && URL.canParse(url) ? [{ data: { url } }] : []))
}

type Billed = { rates: OpenaiSettings['rates'] } & Pick<JobSpec, 'prompt'>

/** The cost by the tokens of the answer, otherwise by the characters of the prompt when these are billed. */
function openaiCost(body: Json | undefined, { rates, prompt }: Billed): Cost | undefined {
  const input = tokens(body, 'usage.input_tokens')
  const output = tokens(body, 'usage.output_tokens')
  if (input !== undefined && output !== undefined) {
    const images = tokens(body, 'usage.input_tokens_details.image_tokens') ?? 0
    const counted = { quantity: input + output, unit: 'tokens' }
    if (!rates || !('output' in rates)) return counted
    return { usd: ((input - images) * rates.textInput + images * rates.imageInput + output * rates.output) / 1_000_000, ...counted }
  }
  if (!rates || !('thousandCharacters' in rates)) return undefined
  const characters = [...(prompt ?? '')].length
  return { usd: (characters * rates.thousandCharacters) / 1000, quantity: characters, unit: 'characters' }
}

function tokens(body: Json | undefined, at: string): number | undefined {
  const count = getNumberAtPath(body, at)
  return count !== undefined && count >= 0 ? count : undefined
}
