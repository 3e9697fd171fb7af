import type { ReadResourceResult, Resource } from '@modelcontextprotocol/server'
import type { CompileField, FieldCall } from './compileFields.ts'

export type ResourcePage = { resources: Resource[]; nextCursor?: string }

/** What an argument of a template may be completed to. */
export type Completion = { values: string[]; hasMore: boolean }

/** What may be done with the resources of one kind. Each asks at most one operation of the schema, which judges access. */
export type ResourceAccess = {
  /** The resource of an identifier; one that is unknown, or another's, is refused as in REST. */
  read(id: string, call: FieldCall): Promise<ReadResourceResult['contents']>
  complete(begun: string, call: FieldCall): Promise<Completion>
}

/** One kind of resource. What a model that has never seen us must know stands in `description`. */
export type ResourceKind<Access extends ResourceAccess = ResourceAccess> = {
  name: string
  title: string
  description: string
  /** Behind it stands the identifier, which is the only part of an address that varies. */
  uriPrefix: `atelier://${string}/`
  /** The name of the identifier in the template. */
  argument: string
  /** Made once, at the start, when its operations are checked against the schema. */
  connect(field: CompileField): Access
}

export const resourceMimeType = 'application/json'

/** The document of REST, as the text of a resource. */
export function jsonResource(uri: string, document: unknown): ReadResourceResult['contents'][number] {
  return { uri, mimeType: resourceMimeType, text: JSON.stringify(document) }
}

/** So many values the protocol lets a completion give. */
export const completionsMax = 100
