import type { Preview } from '../domain/generations/keptPreviews.ts'
import { previewResult } from '../domain/generations/previewResult.ts'
import { longest, upTo } from './answerSize.ts'
import { builder } from './builder.ts'
import { spenderOfGeneration } from './spenderFor.ts'

const ResultPreviewType = builder.objectRef<{ preview: Preview | null }>('ResultPreview')

builder.objectType(ResultPreviewType, {
  description: 'A small picture of a result for models to look at. Empty for media other than images, and when none can be made now.',
  authScopes: { caller: true },
  fields: (t) => ({
    mimeType: t.string({ nullable: true, resolve: ({ preview }) => preview?.mimeType }),
    base64: t.string({ nullable: true, ...upTo(longest.preview), resolve: ({ preview }) => preview?.base64 }),
    json: t.field({ type: 'JSON', nullable: true, resolve: ({ preview }) => preview }),
  }),
})

builder.queryField('resultPreview', (t) =>
  t.field({
    type: ResultPreviewType,
    args: { id: t.arg.id({ required: true }) },
    authScopes: { service: true, key: 'generations:read' },
    resolve: async (_root, { id }, { context, signal }) => {
      const spender = await spenderOfGeneration(context, id)
      return { preview: (await previewResult(context, spender, { generationId: id, signal })) ?? null }
    },
  }),
)
