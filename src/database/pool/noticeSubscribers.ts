import type { Log } from '../log.ts'

/** `reconnected`: notices may have been missed, so look at the database again. */
export type NoticeCallback = (what: 'notice' | 'reconnected') => void

/** Who waits for what: a map per channel, so that ten thousand waiters cost a look-up. */
export type NoticeSubscribers = {
  /** Throws for a channel that was not given. Returns what ends the subscription. */
  add: (channel: string, id: string, callback: NoticeCallback) => () => void
  notify: (channel: string, id: string) => void
  notifyAll: () => void
  clear: () => void
}

export function noticeSubscribers(channels: readonly string[], log: Log): NoticeSubscribers {
  const byChannel = new Map(channels.map((channel) => [channel, new Map<string, Set<NoticeCallback>>()]))

  // Callers pass copies, since a call may end or begin subscriptions.
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
      if (byId === undefined) throw new TypeError(`nobody listens to the channel ${channel}`)
      // A subscription of its own even when one callback subscribes twice.
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
