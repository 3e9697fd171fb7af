import { vi } from 'vitest'

const { waitFor } = vi
const timeout = 20_000

/** Machines may be busy: without this, `vi.waitFor` gives up after one second. Only a failing test waits this long. */
vi.waitFor = (callback, options) => waitFor(callback, typeof options === 'number' ? options : { timeout, ...options })
