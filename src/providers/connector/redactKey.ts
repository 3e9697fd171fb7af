import type { Provider, ProviderContext } from '../provider.ts'

/**
 * Wraps a provider and removes its key from log lines, errors and health messages. A vendor or its proxy may repeat the request in an
 * answer.
 */
export function redactKey(provider: Provider, key: string | undefined): Provider {
  if (key === undefined || key === '') return provider
  const hide = (text: string) => text.replaceAll(key, '[key]')
  const redactingContext = (context: ProviderContext): ProviderContext => ({
    ...context,
    log: { warn: (fields, message) => context.log.warn(hidden(fields, hide) as Record<string, unknown>, hide(message)) },
  })
  const redactingErrors = async <Answer>(work: Promise<Answer>): Promise<Answer> => {
    try {
      return await work
    } catch (error) {
      for (let each = error; each instanceof Error; each = each.cause) each.message = hide(each.message)
      throw error
    }
  }
  const { health } = provider
  return {
    ...provider,
    submit: (spec, context) => redactingErrors(provider.submit(spec, redactingContext(context))),
    poll: (handle, spec, context) => redactingErrors(provider.poll(handle, spec, redactingContext(context))),
    collect: (output, spec, context) => redactingErrors(provider.collect(output, spec, redactingContext(context))),
    cancel: (handle, context) => redactingErrors(provider.cancel(handle, redactingContext(context))),
    ...(health && {
      health: async (context) => {
        const found = await redactingErrors(health(redactingContext(context)))
        return found.message === undefined ? found : { ...found, message: hide(found.message) }
      },
    }),
  }
}

function hidden(value: unknown, hide: (text: string) => string): unknown {
  if (typeof value === 'string') return hide(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((each) => hidden(each, hide))
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, hidden(each, hide)]))
}
