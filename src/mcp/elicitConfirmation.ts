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
import { openConfirmation, type PriceConfirmation, sealConfirmation } from '../domain/priceConfirmationToken.ts'
import { formatCredits } from './formatCredits.ts'
import type { ElicitationAnswer } from './tool.ts'

const question = 'confirm'

/** The price that a person must confirm first. */
export type RequiredConfirmation = { credits: number; confirmAboveCredits: number }

/** The amounts of a refusal that requires a confirmation; `undefined` for other errors. */
export function requiredConfirmation(error: unknown): RequiredConfirmation | undefined {
  const { credits, confirmAboveCredits } = (error instanceof Refusal ? error.details : undefined) ?? {}
  return typeof credits === 'number' && typeof confirmAboveCredits === 'number' ? { credits, confirmAboveCredits } : undefined
}

/** Asks the person to confirm the price. The client repeats the call with the answer and the sealed quote. */
export function elicitConfirmation(
  context: Context,
  { credits, confirmAboveCredits }: RequiredConfirmation,
  quoteId: string,
): InputRequiredResult {
  const message = `Start this generation for ${formatCredits(credits)}? You asked to confirm prices above ${formatCredits(confirmAboveCredits)}.`
  return inputRequired({
    inputRequests: { [question]: inputRequired.elicit({ message, requestedSchema: { type: 'object', properties: {} } }) },
    requestState: sealConfirmation(context, { quoteId, credits }),
  })
}

/** The refusal after the person declined. */
export function declined(): Refusal {
  return new Refusal('cost_above_limit', undefined, { message: 'The person did not agree to the price.' })
}

/** Whether the client supports elicitation. Older revisions need a session for it, which this server does not have. */
export function supportsElicitation({ mcpReq }: ServerContext): boolean {
  const envelope: { [CLIENT_CAPABILITIES_META_KEY]?: ClientCapabilities } = mcpReq.envelope ?? {}
  const { elicitation } = envelope[CLIENT_CAPABILITIES_META_KEY] ?? {}
  return elicitation !== undefined && (elicitation.form !== undefined || Object.keys(elicitation).length === 0)
}

/** The person's answer, when the call is repeated with it. */
export function elicitationAnswer({ mcpReq }: ServerContext): ElicitationAnswer | undefined {
  const said = inputResponse(mcpReq.inputResponses, question)
  const asked = mcpReq.requestState<PriceConfirmation>()
  return said.kind === 'elicit' && asked !== undefined ? { action: said.action, asked } : undefined
}

/** Verifies the sealed state of a repeated call. An invalid state is a protocol error. */
export function requestStateVerifier(context: Context): { verify(state: string): Promise<PriceConfirmation> } {
  return {
    verify: async (state) => {
      const asked = openConfirmation(context, state)
      invariant(asked, 'the state is sealed by this service')
      return asked
    },
  }
}
