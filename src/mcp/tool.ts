import type { CallToolResult, InputRequiredResult, ToolAnnotations } from '@modelcontextprotocol/server'
import type { z } from 'zod'
import type { Context } from '../domain/context.ts'
import type { PriceConfirmation } from '../domain/priceConfirmationToken.ts'
import type { RequestLogFields } from '../transport/requestLogFields.ts'
import type { CompileField, FieldCall } from './compileFields.ts'

/** The progress of a wait: 0 to 1 if known, and in words. */
export type Progress = { done: number | null; words: string }

/** The person's answer to a confirmation. */
export type ElicitationAnswer = { action: 'accept' | 'decline' | 'cancel'; asked: PriceConfirmation }

/** One call of a tool with validated arguments. */
export type ToolCall<Arguments> = FieldCall & {
  arguments: Arguments
  /** Present when the client requested progress. */
  report?(progress: Progress): void
  /** Whether the client supports elicitation. */
  supportsElicitation: boolean
  answered: ElicitationAnswer | undefined
  /** A long argument that was spooled to disk; `arguments` has a placeholder for it. */
  spooledText: SpooledText | undefined
}

/** Reads a spooled text in pieces. The signal aborts with its reason. */
export type SpooledText = (signal: AbortSignal) => AsyncIterable<string>

export type ToolResult = CallToolResult | InputRequiredResult

/** The definition of a tool; a model reads only its `description`. */
export type Tool<Arguments = unknown> = {
  name: string
  title: string
  description: string
  input: z.ZodType<Arguments>
  /** The shape of REST. */
  output: z.ZodType
  annotations: Required<Pick<ToolAnnotations, 'readOnlyHint' | 'destructiveHint' | 'idempotentHint' | 'openWorldHint'>>
  /** The hint when the outcome of a failed call is unknown and a repeat could run it twice. */
  unknownOutcomeHint?(given: Readonly<Record<string, unknown>>): string | undefined
  /** Called once, before the first call; validates the operations against the schema. */
  connect(field: CompileField): (call: ToolCall<Arguments>) => Promise<ToolResult>
}

/** Checks the types of a tool, and widens them for the table of tools. */
export function tool<Arguments>(definition: Tool<Arguments>): Tool {
  return definition as Tool
}

/** A tool result: text for the model, and structured content for programs. */
export function toolResult(structured: unknown, text: string, ...more: CallToolResult['content']): CallToolResult {
  return { content: [{ type: 'text', text }, ...more], structuredContent: structured }
}

/** The annotations of a tool that changes nothing. */
export const readOnlyAnnotations = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false } as const

/** The caller of a message. `gone` aborts when the client disconnects or the process shuts down. */
export type Caller = {
  context: Context
  requestId: string
  gone: AbortSignal
  spooledText: SpooledText | undefined
  /** Adds fields to the log entry of the request. */
  addLogFields(fields: RequestLogFields): void
}
