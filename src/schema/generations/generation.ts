import { generation, type PublicGeneration } from '../../contract/shapes/generation.ts'
import { generationStates } from '../../entities/Generation.ts'
import { OutputTypeEnum } from '../catalog/outputType.ts'
import { builder } from '../core/builder.ts'
import { enumValues } from '../core/enumValues.ts'
import { longest, maxFieldBytes } from '../core/fieldSizes.ts'
import { outputFields } from '../core/shapeFields.ts'

/** A generation in its public shape. */
export const GenerationType = builder.objectRef<PublicGeneration>('Generation')

export const GenerationStateEnum = builder.enumType('GenerationState', { values: enumValues(generationStates) })
export const SourceEnum = builder.enumType('GenerationSource', { values: enumValues(['rest', 'mcp', 'editor']) })

const FallbackType = builder.objectRef<NonNullable<PublicGeneration['fallback']>>('GenerationFallback')
const InputsType = builder.objectRef<PublicGeneration['inputs']>('GenerationInputs')
const ResultType = builder.objectRef<NonNullable<PublicGeneration['result']>>('GenerationResult')
const FailureType = builder.objectRef<NonNullable<PublicGeneration['error']>>('GenerationFailure')

const { shape } = generation

builder.objectType(GenerationType, {
  authScopes: { caller: true },
  fields: (t) => ({
    ...outputFields(t, generation, {
      generationId: { type: 'ID' },
      state: { type: GenerationStateEnum },
      fallback: { type: FallbackType },
      outputType: { type: OutputTypeEnum },
      axes: maxFieldBytes(longest.smallJson),
      prompt: maxFieldBytes(longest.prompt),
      parameters: maxFieldBytes(longest.body),
      inputs: { type: InputsType },
      metadata: maxFieldBytes(longest.metadata),
      source: { type: SourceEnum },
      result: { type: ResultType },
      error: { type: FailureType },
    }),
    json: t.field({ type: 'JSON', description: 'The response of GET /generations/{id}.', resolve: (generation) => generation }),
  }),
})

builder.objectType(FallbackType, { authScopes: { caller: true }, fields: (t) => outputFields(t, shape.fallback.unwrap()) })
builder.objectType(InputsType, { authScopes: { caller: true }, fields: (t) => outputFields(t, shape.inputs) })

builder.objectType(ResultType, {
  authScopes: { caller: true },
  fields: (t) =>
    outputFields(t, shape.result.unwrap(), {
      type: { type: OutputTypeEnum },
      // More than fits into an Int.
      sizeBytes: { type: 'Float' },
      text: maxFieldBytes(longest.body),
    }),
})

builder.objectType(FailureType, {
  authScopes: { caller: true },
  fields: (t) => outputFields(t, shape.error.unwrap(), { details: maxFieldBytes(longest.smallJson) }),
})
