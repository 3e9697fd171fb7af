import { AsyncLocalStorage } from 'node:async_hooks'
import { limits } from '../contract/limits.ts'
import { readText } from '../contract/shapes/text.ts'

/** What the ID token of the current sign-in has as the groups claim; absent if none is read. better-auth passes no claims to the store. */
export const signInGroups = new AsyncLocalStorage<{ claimed?: ClaimedGroups }>()

export type ClaimedGroups = readonly string[] | 'missing' | 'malformed'

/**
 * Reads the groups of an ID token. `claim`: the name of a claim, otherwise a path with dots into nested claims. Groups whose name no team
 * can map are left out. Returns `missing` without the claim, and `malformed` if it is not a list of texts within the limit.
 * Contract: docs/contract.md#roles-from-groups.
 */
export function readGroupsClaim(claims: Record<string, unknown>, claim: string): ClaimedGroups {
  const found = Object.hasOwn(claims, claim) ? claims[claim] : claim.split('.').reduce<unknown>(memberOf, claims)
  if (found === undefined) return 'missing'
  if (!Array.isArray(found) || found.length > limits.groupsPerToken || !found.every((each) => typeof each === 'string')) return 'malformed'
  return [...new Set(found)].filter((name) => 'text' in readText(name, { charactersMax: limits.groupCharacters, keepEnds: true }))
}

function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
  return (value as Record<string, unknown>)[name]
}
