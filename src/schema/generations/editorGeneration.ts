import { endEditorGeneration } from '../../domain/generations/ending/endEditorGeneration.ts'
import { recordEditorGeneration } from '../../domain/generations/start/recordEditorGeneration.ts'
import { OutputTypeEnum } from '../catalog/outputType.ts'
import { builder } from '../core/builder.ts'
import { enumValues } from '../core/enumValues.ts'
import { allow } from '../core/scopes.ts'
import { GenerationType } from './generation.ts'
import { generationScopes } from './generationOrigin.ts'

const EditorState = builder.enumType('EditorGenerationState', { values: enumValues(['ready', 'running', 'failed']) })

const RecordEditorGenerationInput = builder.inputType('RecordEditorGenerationInput', {
  fields: (t) => ({
    teamId: t.id({ required: true }),
    userId: t.id({ required: true }),
    familyId: t.string({ required: true }),
    outputType: t.field({ type: OutputTypeEnum, required: true }),
    prompt: t.string(),
    state: t.field({ type: EditorState, required: true }),
    text: t.string({ description: 'The result of a ready text generation.' }),
  }),
})

builder.mutationField('recordEditorGeneration', (t) =>
  t.field({
    type: GenerationType,
    description: "Records a generation of the interactive editor in the team's history. Charges nothing.",
    args: { input: t.arg({ type: RecordEditorGenerationInput, required: true }) },
    authScopes: (_root, { input }) => allow('editorGenerations.record', input.teamId),
    resolve: async (_root, { input }, { context }) => await recordEditorGeneration(context, input),
  }),
)

const EditorEnd = builder.enumType('EditorGenerationEnd', { values: enumValues(['ready', 'failed']) })

const EndEditorGenerationInput = builder.inputType('EndEditorGenerationInput', {
  fields: (t) => ({
    id: t.id({ required: true }),
    state: t.field({ type: EditorEnd, required: true }),
    text: t.string({ description: 'The result of a ready text generation.' }),
  }),
})

builder.mutationField('endEditorGeneration', (t) =>
  t.field({
    type: GenerationType,
    description: 'Ends a generation that was recorded as running, once. Sends no event.',
    args: { input: t.arg({ type: EndEditorGenerationInput, required: true }) },
    authScopes: (_root, { input }, request) => generationScopes(request, 'editorGenerations.record', input.id),
    resolve: async (_root, { input }, { context }) => await endEditorGeneration(context, input),
  }),
)
