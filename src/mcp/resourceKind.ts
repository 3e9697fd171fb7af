import type { ReadResourceResult, Resource } from '@modelcontextprotocol/server'
import type { CompileField, FieldCall } from './compileFields.ts'

export type ResourcePage = { resources: Resource[]; nextCursor?: string }

/** The completions of a template argument. */
export type Completion = { values: string[]; hasMore: boolean }

/** The operations on resources of one kind. Each runs at most one operation of the schema, which checks access. */
export type ResourceAccess = {
  /** The resource with an identifier. Refusals: as in REST, also for a resource of another owner. */
  read(id: string, call: FieldCall): Promise<ReadResourceResult['contents']>
  complete(typed: string, call: FieldCall): Promise<Completion>
}

/** One kind of resource; a model reads only its `description`. */
export type ResourceKind<Access extends ResourceAccess = ResourceAccess> = {
  name: string
  title: string
  description: string
  /** The URI is this prefix and the identifier. */
  uriPrefix: `atelier://${string}/`
  /** The name of the identifier in the template. */
  argument: string
  /** Called once at the start; validates the operations against the schema. */
  connect(field: CompileField): Access
}

export const resourceMimeType = 'application/json'

/** The REST document as a text resource. */
export function jsonResource(uri: string, document: unknown): ReadResourceResult['contents'][number] {
  return { uri, mimeType: resourceMimeType, text: JSON.stringify(document) }
}

/** The protocol's limit of values in a completion. */
export const completionsMax = 100
