/** The stored reason of deliveries that were closed without another attempt because their subscription was auto-paused. */
export const autoPausedWords = 'the webhook is paused, because it failed for days'
