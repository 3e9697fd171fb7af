import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { Refusal } from '../contract/refusals.ts'
import { inCredits } from './inCredits.ts'
import type { Answered } from './tool.ts'

const question = 'confirm'

/** What a rule said that the person has to be asked about first. */
export type Confirmable = { credits: number; confirmAboveCredits: number }

/** Both amounts, where a refusal only says that the person has to agree first. */
export function confirmableOf(error: unknown): Confirmable | undefined {
  const { credits, confirmAboveCredits } = (error instanceof Refusal ? error.details : undefined) ?? {}
  return typeof credits === 'number' && typeof confirmAboveCredits === 'number' ? { credits, confirmAboveCredits } : undefined
}

/** Puts the question to the person; the call comes again with the answer, and with the quote that names what was shown. */
export function askToConfirm({ credits, confirmAboveCredits }: Confirmable, quoteId: string): InputRequiredResult {
  const message = `Start this generation for ${inCredits(credits)}? You wanted to be asked above ${inCredits(confirmAboveCredits)}.`
  return inputRequired({
    inputRequests: { [question]: inputRequired.elicit({ message, requestedSchema: { type: 'object', properties: {} } }) },
    requestState: quoteId,
  })
}

/** Nothing is started without the person's yes. */
export function declined(): Refusal {
  return new Refusal('cost_above_limit', undefined, { message: 'The person was asked and did not agree to the price.' })
}

/** Whether a client can put a question to its person: of older revisions only by a session, which we do not keep. */
export function canAsk({ mcpReq }: ServerContext): boolean {
  const envelope: { [CLIENT_CAPABILITIES_META_KEY]?: ClientCapabilities } = mcpReq.envelope ?? {}
  const { elicitation } = envelope[CLIENT_CAPABILITIES_META_KEY] ?? {}
  return elicitation !== undefined && (elicitation.form !== undefined || Object.keys(elicitation).length === 0)
}

/** What the person said, when the call comes again. */
export function answeredIn({ mcpReq }: ServerContext): Answered | undefined {
  const said = inputResponse(mcpReq.inputResponses, question)
  const state: unknown = mcpReq.requestState()
  return said.kind === 'elicit' && typeof state === 'string' ? { action: said.action, state } : undefined
}
