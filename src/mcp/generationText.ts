import type { CallToolResult } from '@modelcontextprotocol/server'
import { z } from 'zod'
import type { FailureHint } from '../contract/failures/failures.ts'
import type { PublicGeneration } from '../contract/shapes/generation.ts'
import { formatCredits } from './formatCredits.ts'
import { quoteUserText } from './quoteUserText.ts'
import type { Media } from './resultMedia.ts'
import { toolResult } from './tool.ts'

const promptCharacters = 80

/** A generation in one line. */
export function generationLine({ generationId, state, familyId, creditsHeld, creditsCharged, prompt, result }: PublicGeneration): string {
  const cost = creditsCharged === null ? `${formatCredits(creditsHeld)} held` : `${formatCredits(creditsCharged)} charged`
  const about = prompt === null ? '' : ` prompt: ${quoteUserText(prompt, promptCharacters)}`
  const link = result?.deletedAt ? ' Result deleted.' : typeof result?.url === 'string' ? ` ${result.url}` : ''
  return `${generationId}: ${state}, ${familyId}, ${cost}.${about}${link}`
}

/** The state of a generation and the next step. */
export function generationText(generation: PublicGeneration): string {
  return `${statusText(generation)}\n${generationLine(generation)}\nNext: ${nextStep(generation)}`
}

function statusText({ state, progress, queuePosition, error, creditsCharged, result }: PublicGeneration): string {
  if (error) return `Failed: ${error.code}/${error.reason}. ${error.message} Nothing was charged.`
  if (state === 'ready') return result?.deletedAt ? `Ready, but its result was deleted at ${result.deletedAt}.` : 'Ready.'
  if (state === 'cancelled') return `Cancelled; ${formatCredits(creditsCharged ?? 0)} charged.`
  return `Not finished: ${progressText({ state, progress, queuePosition })}.`
}

/** The progress of an open generation in words. */
export function progressText({ state, progress, queuePosition }: Pick<PublicGeneration, 'state' | 'progress' | 'queuePosition'>): string {
  if (typeof queuePosition === 'number') return `${state}, number ${queuePosition} in the queue of the model`
  return typeof progress === 'number' ? `${state}, ${Math.round(progress * 100)} % done` : state
}

function nextStep({ state, error, generationId, reusableAs, result }: PublicGeneration): string {
  if (error) return failureStep(error.hint, error.retryable)
  if (state === 'cancelled') return 'none; start another generation if the person still wants it.'
  if (state !== 'ready') return `call wait_generation with generationId ${generationId}; it costs nothing to wait.`
  if (result?.deletedAt) return 'none; the result cannot be restored. Start another generation if the person still wants it.'
  if (result?.type === 'text') return 'give the text of the result to the person.'
  const reuse =
    reusableAs && reusableAs.length > 0 ? ` It can be an input of another: ${reusableAs.join(' or ')} takes ${generationId}.` : ''
  return `give the link to the person; it needs no key and works until ${result?.urlExpiresAt ?? 'it expires'}.${reuse}`
}

/** The next step by hint. For `retry` and `retry_later`, `retryable` decides. */
const failureSteps: Record<Exclude<FailureHint, 'retry' | 'retry_later'>, string> = {
  change_content: 'change what the prompt or the inputs show; the same request fails again.',
  shorten_prompt: 'shorten the prompt; details name the limit.',
  rewrite_prompt: 'write the prompt differently, or choose another family.',
  replace_images: 'use other input images.',
  fix_parameters: 'compare the parameters with get_family, and correct them.',
  resize_file: 'use a file of another size.',
  resize_image: 'use an image of another size or shape.',
  reencode_image: 'save the image as PNG or JPEG, and upload it again.',
  choose_other_family: 'choose another family with search_families.',
  top_up: 'tell the person that the account has no credits left.',
  none: 'none.',
}

function failureStep(hint: string, retryable: boolean): string {
  if (Object.hasOwn(failureSteps, hint)) return failureSteps[hint as keyof typeof failureSteps]
  return retryable ? 'estimate and start the same request again, if necessary later.' : 'do not repeat the same request.'
}

export const generationInput = z.strictObject({
  generationId: z.string().min(1).meta({ description: 'From start_generation or list_generations.' }),
})

/** The tool result of a generation with its media; a failed generation is a tool error. */
export function generationResult(generation: PublicGeneration, media: Media): CallToolResult {
  const answer = toolResult(generation, generationText(generation), ...media)
  return generation.error ? { ...answer, isError: true } : answer
}
