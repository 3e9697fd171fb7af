import type { Log } from '../log.ts'

/** `reconnected`: notifications may have been lost, so read the database again. */
export type NoticeCallback = (what: 'notice' | 'reconnected') => void

/** Subscriptions in one map per channel, so that a notification costs one lookup with ten thousand subscribers. */
export type NoticeSubscribers = {
  /** Returns a function that ends the subscription. Throws for an unknown channel. */
  add: (channel: string, id: string, callback: NoticeCallback) => () => void
  notify: (channel: string, id: string) => void
  notifyAll: () => void
  clear: () => void
}

export function noticeSubscribers(channels: readonly string[], log: Log): NoticeSubscribers {
  const byChannel = new Map(channels.map((channel) => [channel, new Map<string, Set<NoticeCallback>>()]))

  // Callers pass copies: a callback may start or end subscriptions.
  function call(callbacks: NoticeCallback[], what: 'notice' | 'reconnected'): void {
    for (const callback of callbacks) {
      try {
        callback(what)
      } catch (error) {
        log.error({ error }, 'a subscriber failed')
      }
    }
  }

  return {
    add(channel, id, callback) {
      const byId = byChannel.get(channel)
      if (byId === undefined) throw new TypeError(`the listener was not opened for the channel ${channel}`)
      // A new function, so that the same callback may subscribe twice.
      const own: NoticeCallback = (what) => callback(what)
      const callbacks = byId.get(id)
      if (callbacks === undefined) byId.set(id, new Set([own]))
      else callbacks.add(own)
      return () => {
        const present = byId.get(id)
        present?.delete(own)
        if (present?.size === 0) byId.delete(id)
      }
    },
    notify(channel, id) {
      call([...(byChannel.get(channel)?.get(id) ?? [])], 'notice')
    },
    notifyAll() {
      for (const byId of byChannel.values())
        call(
          [...byId.values()].flatMap((callbacks) => [...callbacks]),
          'reconnected',
        )
    },
    clear() {
      for (const byId of byChannel.values()) byId.clear()
    },
  }
}
