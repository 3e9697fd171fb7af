import type { Health } from '../provider.ts'

type Proof = {
  /** The variable that holds the key, as operators know it. */
  variable: string
  /** What is answered to whoever has the right key. */
  good?: readonly number[]
}

/** What the answer to a free request says of our key. A rejected one is named by its variable, never by its value. */
export function keyHealth(status: number, { variable, good = [200] }: Proof): Health {
  if (good.includes(status)) return { ok: true }
  return { ok: false, message: status === 401 || status === 403 ? `rejects ${variable}` : `answers with ${status}` }
}
