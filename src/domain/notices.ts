/** Wakes callers when something changed in the database; `reconnected` means that notices may have been missed. */
export type Notices = { subscribe(channel: string, id: string, callback: (what: 'notice' | 'reconnected') => void): () => void }
