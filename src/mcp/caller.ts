import type { Context } from '../domain/context.ts'
import type { LongText } from './tool.ts'

/** Whom a message came from, and when whoever waits for its answer is gone, or the process about to be. */
export type Caller = { context: Context; requestId: string; gone: AbortSignal; longText: LongText | undefined }
