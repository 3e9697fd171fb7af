import { Gauge, type Registry } from 'prom-client'
import { memoizeFor } from '../concurrency/memoizeFor.ts'

/** How long an answer is reused, however often it is scraped. */
const secretsMs = 15_000

/** Describes why SECRET_KEY of this process does not decrypt the secrets of the database; undefined if it does. */
export type SecretFault = () => Promise<string | undefined>

/** Registers whether SECRET_KEY of this process is that of the database. The gauge has no value while the database is unavailable. */
export function registerSecretGauge(secretFault: SecretFault, registry: Registry): void {
  const read = memoizeFor(secretsMs, () =>
    secretFault().then(
      (fault) => Number(fault === undefined),
      () => undefined,
    ),
  )
  new Gauge({
    name: 'atelier_secret_key_ok',
    help: '1 while SECRET_KEY of this process decrypts the secrets of the database, else 0: then the process is not ready.',
    registers: [registry],
    async collect() {
      const value = await read().answer
      if (value === undefined) this.remove({})
      else this.set(value)
    },
  })
}
