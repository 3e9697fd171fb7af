import type { Webhook } from './webhooksQuery.ts'

/** A dialog about one webhook. `onClosed`: it is out of sight. */
export type WebhookDialogProps = { webhook: Webhook; opened: boolean; onClose(): void; onClosed(): void }
