import { makeCooperativeScheduler } from '../concurrency/cooperativeScheduler.ts'

/** CPU time per turn of the event loop for the long bodies and responses of all requests together. */
const sliceMs = 4

/** Schedules work that would block the event loop for other requests. */
export const bodyScheduler = makeCooperativeScheduler(sliceMs)
