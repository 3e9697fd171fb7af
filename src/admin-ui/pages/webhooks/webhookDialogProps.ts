import type { Webhook } from './webhooksQuery.ts'

/** A dialog about one webhook. `onClosed` is called after it closed. */
export type WebhookDialogProps = { webhook: Webhook; opened: boolean; onClose(): void; onClosed(): void }
