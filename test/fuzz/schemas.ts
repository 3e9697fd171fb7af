import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { document } from '../support/http/responseConformance.ts'
import type { Schema } from './values.ts'

const documentId = 'https://atelier.test/requests.json'
const ajv = addFormats.default(new Ajv2020({ strict: false, allErrors: true, schemas: [{ ...document, $id: documentId }] }))
const validators = new Map<string, ValidateFunction>()

/** The validator of a referenced schema of our document. */
export function validatorAt(reference: string): ValidateFunction {
  const known = validators.get(reference) ?? ajv.compile({ $ref: documentId + reference })
  validators.set(reference, known)
  return known
}

/** A referenced schema of our document. */
export function schemaAt(reference: string): Schema {
  const schemas = (document as unknown as { components: { schemas: Record<string, Schema> } }).components.schemas
  const schema = schemas[reference.slice('#/components/schemas/'.length)]
  if (!schema) throw new Error(`the document has no ${reference}`)
  return schema
}
