import type { Json } from '../../../contract/json.ts'
import { getNumberAtPath } from '../../connector/jsonPath.ts'
import type { Cost, JobSpec } from '../../provider.ts'
import type { OpenaiSettings } from './openaiSettings.ts'

type Billed = { rates: OpenaiSettings['rates'] } & Pick<JobSpec, 'prompt'>

/** The cost by the tokens of the answer, otherwise by the characters of the prompt when these are billed. */
export function openaiCost(body: Json | undefined, { rates, prompt }: Billed): Cost | undefined {
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
