import type { RefusalCode } from '../openapi.ts'
import { type AtelierError, type AtelierErrorFields, type ConnectionCode, kindOf } from './atelierError.ts'
import type { ConnectionFailedError, TimedOutError, UnexpectedAnswerError } from './connectionErrors.ts'
import { classByKind } from './errorKinds.ts'
import { type ErrorName, errorName } from './errorName.ts'
import type { DetailsOf } from './refusalDetails.ts'
import * as refusals from './refusals.ts'

type RefusalClasses = typeof refusals

const refusalClasses: {
  [Code in RefusalCode as ErrorName<Code>]: new (
    fields: AtelierErrorFields<Code, DetailsOf<Code>>,
  ) => AtelierError
} = refusals

type ConnectionErrors = {
  connection_failed: ConnectionFailedError
  timed_out: TimedOutError
  unexpected_answer: UnexpectedAnswerError
}

/** The error class of a code, with the details of the code. */
export type ErrorOf<Code extends RefusalCode | ConnectionCode> = Code extends ConnectionCode
  ? ConnectionErrors[Code]
  : Code extends RefusalCode
    ? InstanceType<RefusalClasses[ErrorName<Code>]>
    : never

/** Makes the error of a refusal: with the class of its code or, for an unknown code, of its kind. */
export function errorOf(fields: AtelierErrorFields): AtelierError {
  const name = errorName(fields.code)
  const known: Partial<Record<string, new (fields: never) => AtelierError>> = refusalClasses
  const Class = (Object.hasOwn(known, name) ? known[name] : undefined) ?? classByKind[kindOf(fields.status, fields.code)]
  return new Class(fields as never)
}
