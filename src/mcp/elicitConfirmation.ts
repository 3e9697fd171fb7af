import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { Refusal } from '../contract/refusals/refusals.ts'
import type { Context } from '../domain/context.ts'
import { invariant } from '../domain/invariant.ts'
import { openConfirmation, type PriceConfirmation, sealConfirmation } from '../domain/priceConfirmation.ts'
import { formatCredits } from './formatCredits.ts'
import type { ElicitationAnswer } from './tool.ts'

const question = 'confirm'

/** What a rule said that the person has to be asked about first. */
export type RequiredConfirmation = { credits: number; confirmAboveCredits: number }

/** Both amounts, where a refusal only says that the person has to agree first. */
export function requiredConfirmation(error: unknown): RequiredConfirmation | undefined {
  const { credits, confirmAboveCredits } = (error instanceof Refusal ? error.details : undefined) ?? {}
  return typeof credits === 'number' && typeof confirmAboveCredits === 'number' ? { credits, confirmAboveCredits } : undefined
}

/** Puts the question to the person; the call comes again with the answer, and with the quote that names what was shown. */
export function elicitConfirmation(
  context: Context,
  { credits, confirmAboveCredits }: RequiredConfirmation,
  quoteId: string,
): InputRequiredResult {
  const message = `Start this generation for ${formatCredits(credits)}? You wanted to be asked above ${formatCredits(confirmAboveCredits)}.`
  return inputRequired({
    inputRequests: { [question]: inputRequired.elicit({ message, requestedSchema: { type: 'object', properties: {} } }) },
    requestState: sealConfirmation(context, { quoteId, credits }),
  })
}

/** Nothing is started without the person's yes. */
export function declined(): Refusal {
  return new Refusal('cost_above_limit', undefined, { message: 'The person was asked and did not agree to the price.' })
}

/** Whether a client can put a question to its person: of older revisions only by a session, which we do not keep. */
export function supportsElicitation({ mcpReq }: ServerContext): boolean {
  const envelope: { [CLIENT_CAPABILITIES_META_KEY]?: ClientCapabilities } = mcpReq.envelope ?? {}
  const { elicitation } = envelope[CLIENT_CAPABILITIES_META_KEY] ?? {}
  return elicitation !== undefined && (elicitation.form !== undefined || Object.keys(elicitation).length === 0)
}

/** What the person said, when the call comes again with what they were asked. */
export function elicitationAnswer({ mcpReq }: ServerContext): ElicitationAnswer | undefined {
  const said = inputResponse(mcpReq.inputResponses, question)
  const asked = mcpReq.requestState<PriceConfirmation>()
  return said.kind === 'elicit' && asked !== undefined ? { action: said.action, asked } : undefined
}

/** Reads a question of ours that came back; what we have not asked is answered as an error of the protocol. */
export function requestStateVerifier(context: Context): { verify(state: string): Promise<PriceConfirmation> } {
  return {
    verify: async (state) => {
      const asked = openConfirmation(context, state)
      invariant(asked, 'no question of ours')
      return asked
    },
  }
}
