import type { CallToolResult, InputRequiredResult, ToolAnnotations } from '@modelcontextprotocol/server'
import type { z } from 'zod'
import type { Context } from '../domain/context.ts'
import type { PriceConfirmation } from '../domain/priceConfirmation.ts'
import type { CompileField, FieldCall } from './compileFields.ts'

/** How far a wait has come: 0 to 1 where known, and in words. */
export type Progress = { done: number | null; words: string }

/** What a client's person said to a question of ours. */
export type ElicitationAnswer = { action: 'accept' | 'decline' | 'cancel'; asked: PriceConfirmation }

/** One call of a tool, its arguments read and checked. */
export type ToolCall<Arguments> = FieldCall & {
  arguments: Arguments
  /** There when the client wants to hear of progress. */
  report?(progress: Progress): void
  /** Whether the client can put a question to its person. */
  supportsElicitation: boolean
  answered: ElicitationAnswer | undefined
  /** The text of an argument that was too long to be held in memory, in pieces; something else stands in its place. */
  spooledText: SpooledText | undefined
}

/** Reads a text that was put aside. The signal ends the reading, with its reason. */
export type SpooledText = (signal: AbortSignal) => AsyncIterable<string>

export type ToolResult = CallToolResult | InputRequiredResult

/** Everything that one tool is. What a model that has never seen us must know stands in `description`. */
export type Tool<Arguments = unknown> = {
  name: string
  title: string
  description: string
  input: z.ZodType<Arguments>
  /** The shape of REST. */
  output: z.ZodType
  annotations: Required<Pick<ToolAnnotations, 'readOnlyHint' | 'destructiveHint' | 'idempotentHint' | 'openWorldHint'>>
  /** What to do when a call broke off and may have been done all the same, where a repeat of it could be done a second time. */
  unknownOutcomeHint?(given: Readonly<Record<string, unknown>>): string | undefined
  /** Made once, at the start, when its operations are checked against the schema. */
  connect(field: CompileField): (call: ToolCall<Arguments>) => Promise<ToolResult>
}

/** Keeps a tool's own types while it is written, and widens it for the table. */
export function tool<Arguments>(definition: Tool<Arguments>): Tool {
  return definition as Tool
}

/** What was found or done: in words for the model, and complete for a program. */
export function toolResult(structured: unknown, text: string, ...more: CallToolResult['content']): CallToolResult {
  return { content: [{ type: 'text', text }, ...more], structuredContent: structured }
}

/** Reads without changing anything. */
export const readOnlyAnnotations = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false } as const

/** Whom a message came from, and when whoever waits for its answer is gone, or the process about to be. */
export type Caller = { context: Context; requestId: string; gone: AbortSignal; spooledText: SpooledText | undefined }
