import { nothing } from '../../../contract/hundredths.ts'
import { newId } from '../../../contract/ids.ts'
import { limits } from '../../../contract/limits.ts'
import { type IssueCode, invalidRequest, type Refusal } from '../../../contract/refusals/refusals.ts'
import type { PublicGeneration } from '../../../contract/shapes/generation.ts'
import { Generation, type GenerationOutputType, type GenerationResult, generationDefaults } from '../../../entities/Generation.ts'
import { requireUser } from '../../access/people/users.ts'
import { visiblePeople } from '../../access/people/visiblePeople.ts'
import { requireTeam } from '../../access/teams/teams.ts'
import type { Context } from '../../context.ts'
import { parseText } from '../../parseText.ts'
import { unknownId } from '../../unknownId.ts'
import { presentGeneration } from '../reading/presentGeneration.ts'

export type EditorGeneration = {
  teamId: string
  userId: string
  familyId: string
  outputType: GenerationOutputType
  prompt?: string | null | undefined
  state: 'ready' | 'running' | 'failed'
  /** The result of a ready text generation. Not allowed otherwise. */
  text?: string | null | undefined
}

/** The editor reports no reason. */
export const editorFailure = { code: 'internal_error', reason: 'unclassified' } as const

const familyIdCharactersMax = 80
const promptRule = { field: 'prompt', charactersMin: 0, charactersMax: limits.promptCharacters, keepEnds: true }
const textRule = { field: 'text', charactersMin: 0, charactersMax: 1_000_000, keepEnds: true }

/**
 * Records a generation of the interactive editor in the team's history, and returns its public shape. The editor settles it: nothing is
 * held or charged here. The editor stores its media, so the result of a ready one has no link.
 * Refusals: invalid_request. Contract: docs/contract.md#generations-of-the-editor.
 */
export async function recordEditorGeneration(context: Context, input: EditorGeneration): Promise<PublicGeneration> {
  const familyId = parseText(input.familyId, { field: 'familyId', charactersMax: familyIdCharactersMax })
  const prompt = typeof input.prompt === 'string' ? parseText(input.prompt, promptRule) : null
  const result = resultOfEditor(input)
  await requireTeam(context, input.teamId, 'teamId')
  await requireUser(context, input.userId, 'userId')
  if (!(await visiblePeople(context, [input.userId])).has(input.userId)) throw unknownId('userId', 'user')
  const now = context.clock.now()
  const ended = input.state !== 'running'
  const generation = await context.em().transactional(async (em) =>
    em.create(Generation, {
      ...generationDefaults(),
      id: newId('gen'),
      ownerId: input.teamId,
      userId: input.userId,
      source: 'editor',
      state: input.state,
      familyId,
      outputType: input.outputType,
      prompt,
      price: nothing,
      creditsCharged: ended ? nothing : null,
      result,
      failure: input.state === 'failed' ? editorFailure : null,
      createdAt: now,
      startedAt: now,
      finishedAt: ended ? now : null,
    }),
  )
  return presentGeneration(context, generation, { kind: 'service' })
}

/** The result of an editor's generation: its text, or a mark that the editor stores its media. Refusals: invalid_request. */
export function resultOfEditor({
  outputType,
  state,
  text,
}: Pick<EditorGeneration, 'outputType' | 'state' | 'text'>): GenerationResult | null {
  const makesText = outputType === 'text' && state === 'ready'
  if (typeof text === 'string' && !makesText) throw refusedText('conflict', 'Only a ready text generation has a text.')
  if (state !== 'ready') return null
  if (!makesText) return { heldBy: 'editor' }
  if (typeof text !== 'string') throw refusedText('required', 'A ready text generation has a text.')
  return { text: parseText(text, textRule) }
}

function refusedText(code: IssueCode, message: string): Refusal {
  return invalidRequest({ in: 'body', path: ['text'], code, message })
}
