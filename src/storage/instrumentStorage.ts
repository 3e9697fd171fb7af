import { ObjectNotFound, type Storage } from './storage.ts'

/** Wraps a storage: calls `onFault` for each failed operation, except for missing objects and aborted sources or readers. */
export function instrumentStorage(storage: Storage, onFault: (operation: string) => void): Storage {
  const watched = async <Result>(operation: string, work: Promise<Result>, signal?: AbortSignal): Promise<Result> => {
    try {
      return await work
    } catch (error) {
      if (!(error instanceof ObjectNotFound) && !signal?.aborted) onFault(operation)
      throw error
    }
  }
  return {
    put: (key, source, options) => watched('put', storage.put(key, source, options), options?.signal),
    take: (key, path, options) => watched('take', storage.take(key, path, options)),
    open: (key, range) => watched('open', storage.open(key, range)),
    read: (key, range) => watched('read', storage.read(key, range)),
    size: (key) => watched('size', storage.size(key)),
    remove: (key) => watched('remove', storage.remove(key)),
    check: () => storage.check(),
    close: () => storage.close(),
  }
}
