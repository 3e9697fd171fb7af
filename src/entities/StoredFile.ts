import { defineEntity, type InferEntity, p } from '@mikro-orm/core'

export type FileState = 'processing' | 'ready' | 'failed'
export const fileTypes = ['image', 'video', 'audio', 'model3d'] as const
export type FileType = (typeof fileTypes)[number]

/** An uploaded input. `refusal` says why processing failed, in the refusal shape. */
export const StoredFile = defineEntity({
  name: 'StoredFile',
  tableName: 'files',
  properties: {
    id: p.text().primary(),
    ownerId: p.text(),
    userId: p.text().strictNullable(),
    state: p.text().$type<FileState>(),
    type: p.text().$type<FileType>().strictNullable(),
    mimeType: p.text().strictNullable(),
    declaredMimeType: p.text().strictNullable(),
    sizeBytes: p.bigint('number'),
    width: p.integer().strictNullable(),
    height: p.integer().strictNullable(),
    durationSeconds: p.double().strictNullable(),
    storageKey: p.text(),
    sha256: p.text(),
    refusal: p.json<{ code: string; details?: Record<string, unknown> }>().strictNullable(),
    createdAt: p.datetime(),
    expiresAt: p.datetime(),
  },
})
export type StoredFile = InferEntity<typeof StoredFile>
