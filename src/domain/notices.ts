/** Wakes callers when something changed in the database; `reconnected` means that notices may have been missed. */
export type Notices = {
  subscribe(channel: string, id: string, callback: (what: 'notice' | 'reconnected') => void): () => void
  /** Whether notices are heard now. */
  isListening(): boolean
}

/** What processes tell one another: that a generation has ended, that one has moved, that what is said of families has changed. */
export const noticeChannels = ['generation', 'progress', 'catalog'] as const
