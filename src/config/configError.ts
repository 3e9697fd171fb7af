/** An invalid setting, which prevents the start. The message is one line with the variable and its valid values, never its actual value. */
export class ConfigError extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.name = 'ConfigError'
  }
}
