import type { Preview } from '../../domain/generations/results/cachedPreview.ts'
import { previewResult } from '../../domain/generations/results/previewResult.ts'
import { builder } from '../core/builder.ts'
import { longest, maxFieldBytes } from '../core/fieldSizes.ts'
import { resolveGenerationSpender } from '../core/resolveTeamSpender.ts'
import { generationScopes } from './generationOrigin.ts'

const ResultPreviewType = builder.objectRef<{ preview: Preview | null }>('ResultPreview')

builder.objectType(ResultPreviewType, {
  description: 'A small preview image of a result, for models. Empty for other media than images, and when no preview can be made now.',
  authScopes: { caller: true },
  fields: (t) => ({
    mimeType: t.string({ nullable: true, resolve: ({ preview }) => preview?.mimeType }),
    base64: t.string({ nullable: true, ...maxFieldBytes(longest.preview), resolve: ({ preview }) => preview?.base64 }),
    json: t.field({ type: 'JSON', nullable: true, resolve: ({ preview }) => preview }),
  }),
})

builder.queryField('resultPreview', (t) =>
  t.field({
    type: ResultPreviewType,
    args: { id: t.arg.id({ required: true }) },
    authScopes: (_root, { id }, request) => generationScopes(request, 'generations.preview', id),
    resolve: async (_root, { id }, { context, signal }) => {
      const spender = await resolveGenerationSpender(context, id)
      return { preview: (await previewResult(context, spender, { generationId: id, signal })) ?? null }
    },
  }),
)
