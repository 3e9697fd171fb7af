import { AsyncLocalStorage } from 'node:async_hooks'
import type { Origin } from '../domain/context.ts'

/** The origin of the present sign-in. better-auth passes no context through to the store. */
export const signInOrigin = new AsyncLocalStorage<Origin>()
