import type { Health } from '../provider.ts'

type Proof = {
  /** The environment variable that holds the key. */
  variable: string
  /** Statuses that prove a valid key. Default 200. */
  good?: readonly number[]
}

/** Health of a vendor by its answer to a free request. The message for a rejected key names the variable, never the value. */
export function keyHealth(status: number, { variable, good = [200] }: Proof): Health {
  if (good.includes(status)) return { ok: true }
  return { ok: false, message: status === 401 || status === 403 ? `rejects ${variable}` : `answers with ${status}` }
}
