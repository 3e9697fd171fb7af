import { Refusal } from '../contract/refusals/refusals.ts'
import { openToken, sealToken } from '../secrets/keyRing.ts'
import type { Context } from './context.ts'

/** The name of a list, its team and its filter. */
export type ListName = readonly unknown[]

const purpose = 'list_cursor'

/** Makes the opaque token of the position after the entry `key` of a list. Contract: docs/contract.md#lists. */
export function sealListCursor({ ring }: Pick<Context, 'ring'>, list: ListName, key: string): string {
  return sealToken(ring, Buffer.from(JSON.stringify([list, key])), purpose)
}

/** Returns the key of the entry before the next page. Refusals: invalid_cursor for a token of another list or filter. */
export function openListCursor({ ring }: Pick<Context, 'ring'>, list: ListName, token: string): string {
  const opened = openToken(ring, token, purpose)?.toString()
  const [sealed, key] = opened === undefined ? [] : (JSON.parse(opened) as [unknown, string])
  if (key === undefined || JSON.stringify(sealed) !== JSON.stringify(list)) throw new Refusal('invalid_cursor')
  return key
}
