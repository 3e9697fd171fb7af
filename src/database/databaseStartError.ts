/** The database cannot be brought up, and a person has to act: the message is one line that says what and how. */
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
