import { makeCooperativeScheduler } from '../concurrency/cooperativeScheduler.ts'

/** How long the long bodies and answers of all requests compute in one turn of the event loop, all together. */
const sliceMs = 4

/** Turns at what would keep the event loop from other requests. */
export const bodyScheduler = makeCooperativeScheduler(sliceMs)
