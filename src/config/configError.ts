/** A setting that stops the start. The message is one line that names the variable and what it takes, and never repeats a value. */
export class ConfigError extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.name = 'ConfigError'
  }
}
