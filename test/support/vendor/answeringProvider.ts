import type { Provider } from '../../../src/providers/provider.ts'

/** A vendor that answers a submit by `submit` and is asked nothing else. */
export function answeringProvider(submit: Provider['submit'], { idempotentSubmit = false } = {}): Provider {
  const neverAsked = () => Promise.reject(new Error('never asked'))
  return {
    id: 'vendor',
    capabilities: { cancel: 'never', idempotentSubmit },
    submit,
    poll: neverAsked,
    collect: neverAsked,
    cancel: async () => 'unsupported',
  }
}
