/** The database cannot start until an operator acts. The message is one line: the problem and what to do. */
export class DatabaseStartError extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message.replaceAll(/\s*\n\s*/g, ' '), options)
    this.name = 'DatabaseStartError'
  }
}

/** Another live process runs the database in this folder. */
export class FolderInUseError extends DatabaseStartError {
  constructor(message: string) {
    super(message)
    this.name = 'FolderInUseError'
  }
}
