import { type AtelierError, type AtelierErrorFields, type ConnectionCode, kindOf } from './atelierError.ts'
import type { ConnectionFailed, TimedOut, UnexpectedAnswer } from './connectionErrors.ts'
import { classByKind } from './errorKinds.ts'
import type { RefusalCode } from './openapi.ts'
import type { DetailsOf } from './refusalDetails.ts'
import * as refusals from './refusals.ts'

/** The class of each refusal is named after its code. */
type ClassName<Code extends string> = Code extends `${infer Word}_${infer Words}`
  ? `${Capitalize<Word>}${ClassName<Words>}`
  : Capitalize<Code>

type RefusalClasses = typeof refusals

const refusalClasses: {
  [Code in RefusalCode as ClassName<Code>]: new (
    fields: AtelierErrorFields<Code, DetailsOf<Code>>,
  ) => AtelierError
} = refusals

type ConnectionErrors = { connection_failed: ConnectionFailed; timed_out: TimedOut; unexpected_answer: UnexpectedAnswer }

/** The error class of a code, with the details of the code. */
export type ErrorOf<Code extends RefusalCode | ConnectionCode> = Code extends ConnectionCode
  ? ConnectionErrors[Code]
  : Code extends RefusalCode
    ? InstanceType<RefusalClasses[ClassName<Code>]>
    : never

/** Makes the error of a refusal: with the class of its code or, for an unknown code, of its status. */
export function errorOf(fields: AtelierErrorFields): AtelierError {
  const name = fields.code.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())
  const known: Partial<Record<string, new (fields: never) => AtelierError>> = refusalClasses
  const Class = (Object.hasOwn(known, name) ? known[name] : undefined) ?? classByKind[kindOf(fields.status)]
  return new Class(fields as never)
}
