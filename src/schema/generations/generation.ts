import type { PublicGeneration } from '../../contract/shapes/generation.ts'
import { generationStates } from '../../entities/Generation.ts'
import { OutputTypeEnum } from '../catalog/outputType.ts'
import { builder } from '../core/builder.ts'
import { enumValues } from '../core/enumValues.ts'
import { longest, maxFieldBytes } from '../core/fieldSizes.ts'

/** A generation in its one public shape, which every field reads from. */
export const GenerationType = builder.objectRef<PublicGeneration>('Generation')

export const GenerationStateEnum = builder.enumType('GenerationState', { values: enumValues(generationStates) })
export const SourceEnum = builder.enumType('GenerationSource', { values: enumValues(['rest', 'mcp', 'editor']) })

const FallbackType = builder.objectRef<NonNullable<PublicGeneration['fallback']>>('GenerationFallback')
const InputsType = builder.objectRef<PublicGeneration['inputs']>('GenerationInputs')
const ResultType = builder.objectRef<NonNullable<PublicGeneration['result']>>('GenerationResult')
const FailureType = builder.objectRef<NonNullable<PublicGeneration['error']>>('GenerationFailure')

builder.objectType(GenerationType, {
  authScopes: { caller: true },
  fields: (t) => ({
    generationId: t.exposeID('generationId'),
    state: t.expose('state', { type: GenerationStateEnum }),
    familyId: t.exposeString('familyId'),
    modelId: t.exposeString('modelId', { nullable: true }),
    fallback: t.expose('fallback', {
      type: FallbackType,
      nullable: true,
      description: 'The variant that made it in place of the one asked for.',
    }),
    task: t.exposeString('task', { nullable: true }),
    outputType: t.expose('outputType', { type: OutputTypeEnum }),
    axes: t.expose('axes', { type: 'JSON', ...maxFieldBytes(longest.smallJson) }),
    prompt: t.exposeString('prompt', { nullable: true, ...maxFieldBytes(longest.prompt) }),
    parameters: t.expose('parameters', { type: 'JSON', ...maxFieldBytes(longest.body) }),
    inputs: t.expose('inputs', { type: InputsType }),
    reference: t.exposeString('reference', { nullable: true, description: "The caller's own word for it." }),
    metadata: t.expose('metadata', { type: 'JSON', description: "The caller's own: strings by name.", ...maxFieldBytes(longest.metadata) }),
    source: t.expose('source', { type: SourceEnum }),
    creditsHeld: t.exposeFloat('creditsHeld'),
    creditsCharged: t.exposeFloat('creditsCharged', { nullable: true, description: 'Null until the end.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    startedAt: t.expose('startedAt', { type: 'DateTime', nullable: true }),
    finishedAt: t.expose('finishedAt', { type: 'DateTime', nullable: true }),
    progress: t.exposeFloat('progress', { nullable: true, description: 'How much is done, 0 to 1.' }),
    queuePosition: t.exposeInt('queuePosition', { nullable: true, description: "Its place in the vendor's queue; 1 is next." }),
    pollAfterSeconds: t.exposeInt('pollAfterSeconds', { nullable: true }),
    result: t.expose('result', { type: ResultType, nullable: true }),
    reusableAs: t.exposeStringList('reusableAs', { nullable: true }),
    error: t.expose('error', { type: FailureType, nullable: true }),
    json: t.field({ type: 'JSON', description: 'As GET /generations/{id} shows it.', resolve: (generation) => generation }),
  }),
})

builder.objectType(FallbackType, { authScopes: { caller: true }, fields: (t) => ({ modelId: t.exposeString('modelId') }) })

builder.objectType(InputsType, {
  authScopes: { caller: true },
  fields: (t) => ({
    imageIds: t.exposeStringList('imageIds'),
    videoIds: t.exposeStringList('videoIds'),
    audioIds: t.exposeStringList('audioIds'),
    model3dIds: t.exposeStringList('model3dIds'),
  }),
})

builder.objectType(ResultType, {
  authScopes: { caller: true },
  fields: (t) => ({
    type: t.expose('type', { type: OutputTypeEnum }),
    url: t.exposeString('url', {
      nullable: true,
      description: 'Null for text, for media that stayed in the editor, and for what was deleted.',
    }),
    urlExpiresAt: t.expose('urlExpiresAt', { type: 'DateTime', nullable: true }),
    mimeType: t.exposeString('mimeType', { nullable: true }),
    sizeBytes: t.exposeFloat('sizeBytes', { nullable: true }),
    width: t.exposeInt('width', { nullable: true }),
    height: t.exposeInt('height', { nullable: true }),
    durationSeconds: t.exposeFloat('durationSeconds', { nullable: true }),
    text: t.exposeString('text', { nullable: true, ...maxFieldBytes(longest.body) }),
    deletedAt: t.expose('deletedAt', { type: 'DateTime', nullable: true, description: 'Since when it is gone; the rest is null then.' }),
  }),
})

builder.objectType(FailureType, {
  authScopes: { caller: true },
  fields: (t) => ({
    code: t.exposeString('code'),
    reason: t.exposeString('reason'),
    message: t.exposeString('message'),
    retryable: t.exposeBoolean('retryable'),
    hint: t.exposeString('hint'),
    details: t.expose('details', { type: 'JSON', nullable: true, ...maxFieldBytes(longest.smallJson) }),
    docUrl: t.exposeString('docUrl', { description: 'The page that explains the reason, and what to do about it.' }),
  }),
})
