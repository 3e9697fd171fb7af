import type { Provider } from './provider.ts'

export type ProviderRegistry = {
  get(id: string): Provider | undefined
  list(): Provider[]
  /** Closes every provider. Rejects with the first error after all are closed. */
  close(): Promise<void>
}

/** The providers of this process by id. Throws when two share an id. */
export function makeRegistry(providers: Provider[]): ProviderRegistry {
  const byId = new Map(providers.map((provider) => [provider.id, provider]))
  if (byId.size !== providers.length) throw new Error('two providers share an id')
  return {
    get: (id) => byId.get(id),
    list: () => [...byId.values()],
    async close() {
      const results = await Promise.allSettled(providers.map(async (provider) => provider.close?.()))
      const failed = results.find((result) => result.status === 'rejected')
      if (failed) throw failed.reason
    },
  }
}
