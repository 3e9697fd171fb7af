/** The refusal of deliveries that were not attempted, or not again, because their subscription is auto-paused. */
export const autoPausedWords = 'the webhook is paused, because it failed for days'
