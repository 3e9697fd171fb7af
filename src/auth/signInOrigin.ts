import { AsyncLocalStorage } from 'node:async_hooks'
import type { Origin } from '../domain/context.ts'

/** Where a sign-in comes from, for what it does through better-auth, which passes on nothing of ours. */
export const signInOrigin = new AsyncLocalStorage<Origin>()
