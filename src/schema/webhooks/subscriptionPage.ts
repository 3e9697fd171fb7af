import { isId } from '../../contract/ids.ts'
import type { ListWindow } from '../../domain/listWindow.ts'
import { type Connection, type ConnectionArguments, keysetConnection } from '../core/keysetConnection.ts'

/** A page of subscriptions, which are listed by their identifiers. */
export function subscriptionPage<Node extends { id: string }>(
  page: ConnectionArguments,
  find: (window: ListWindow) => Promise<Node[]>,
): Promise<Connection<Node>> {
  return keysetConnection(page, { find, keyOf: ({ id }) => id, isKey: (text) => isId('hook', text) })
}

/** The end of the overlap of a rotation, `null` after it. */
export function secretOverlapEnd({ olderSecretUntil }: { olderSecretUntil: Date | null }, now: Date): Date | null {
  return olderSecretUntil && olderSecretUntil > now ? olderSecretUntil : null
}
