/** Calls subscribers when the database sends a notification; `reconnected` means that some may have been missed. */
export type Notices = {
  subscribe(channel: string, id: string, callback: (what: 'notice' | 'reconnected') => void): () => void
  /** True while the connection that listens is up. */
  isListening(): boolean
}

/** Channels between processes: a generation ended, a generation made progress, the availability of families changed. */
export const noticeChannels = ['generation', 'progress', 'catalog'] as const
