import type { graphql } from '../../api/graphql.ts'
import classes from './StateBadge.module.css'
import { type BadgeColor, TextBadge } from './TextBadge.tsx'

type GenerationState = ReturnType<typeof graphql.scalar<'GenerationState'>>
type DeliveryState = ReturnType<typeof graphql.scalar<'WebhookDeliveryState'>>
/** States of keys, webhooks, families, plans and limits. The API has no type with these values. */
type OtherState = 'ACTIVE' | 'FAILING' | 'PAUSED' | 'REVOKED' | 'EXPIRED' | 'EXPIRING' | 'LOCKED' | 'BLOCKED' | 'AVAILABLE' | 'FINE'
export type BadgeState = GenerationState | DeliveryState | OtherState

const badges: Record<BadgeState, { word: string; color: BadgeColor }> = {
  QUEUED: { word: 'Queued', color: 'gray' },
  RUNNING: { word: 'Running', color: 'blue' },
  FINALIZING: { word: 'Finalizing', color: 'blue' },
  READY: { word: 'Ready', color: 'green' },
  FAILED: { word: 'Failed', color: 'red' },
  CANCELLED: { word: 'Cancelled', color: 'gray' },
  PENDING: { word: 'Pending', color: 'gray' },
  RETRYING: { word: 'Retrying', color: 'orange' },
  DELIVERED: { word: 'Delivered', color: 'green' },
  ACTIVE: { word: 'Active', color: 'green' },
  AVAILABLE: { word: 'Available', color: 'green' },
  FINE: { word: 'Fine', color: 'green' },
  FAILING: { word: 'Failing', color: 'red' },
  PAUSED: { word: 'Paused', color: 'orange' },
  REVOKED: { word: 'Revoked', color: 'gray' },
  EXPIRED: { word: 'Expired', color: 'gray' },
  EXPIRING: { word: 'Expires soon', color: 'orange' },
  LOCKED: { word: 'Locked', color: 'gray' },
  BLOCKED: { word: 'Blocked', color: 'red' },
}

/** The label of a state. */
export function stateLabel(state: BadgeState): string {
  return badges[state].word
}

/** A state: a quiet dot when all is well, so that the coloured labels of the others stand out. */
export function StateBadge({ state }: { state: BadgeState }) {
  const { word, color } = badges[state]
  return color === 'green' ? <Well word={word} /> : <TextBadge word={word} color={color} />
}

/** Inline, so that the word is underlined in a link. */
function Well({ word }: { word: string }) {
  return (
    <span className={classes.well}>
      <span aria-hidden className={classes.dot} style={wellColor} />
      {word}
    </span>
  )
}

/** Not in the style sheet: the build would replace `light-dark` by variables that nobody sets. */
const wellColor = { background: 'light-dark(#2f8f46, #51b868)' }
