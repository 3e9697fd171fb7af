type Entry = { level?: string; time?: string; msg?: string; pid?: number } & Record<string, unknown>

/** A destination of a logger that writes each entry as one line of text for a terminal: local time, level, message, `name=value`. */
export function prettyLines(output: { write(line: string): unknown }): { write(line: string): void } {
  return { write: (line) => void output.write(`${prettyLine(JSON.parse(line) as Entry)}\n`) }
}

function prettyLine({ level = '', time, msg = '', pid: _pid, ...fields }: Entry): string {
  const at = time === undefined ? '' : new Date(time).toTimeString().slice(0, 8)
  const pairs = Object.entries(fields).map(([name, value]) => `${name}=${prettyValue(value)}`)
  return [at, level.padEnd(5), msg, ...pairs].join(' ')
}

function prettyValue(value: unknown): string {
  if (typeof value === 'string' && /^[\w.:/@+-]+$/.test(value)) return value
  return escapeControls(JSON.stringify(isError(value) ? summaryOf(value) : value))
}

/** JSON escapes only the first 32 control characters; a terminal also obeys those from 0x7f to 0x9f. */
function escapeControls(text: string): string {
  return text.replaceAll(/[\u007f-\u009f\u2028\u2029]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

type LoggedError = { type: string; code?: string; message?: string; stack: string }

function isError(value: unknown): value is LoggedError {
  return typeof value === 'object' && value !== null && 'type' in value && 'stack' in value
}

/** Type, code, message and the first frame: the JSON format has the whole stack. */
function summaryOf({ type, code, message, stack }: LoggedError): string {
  const name = code === undefined ? type : `${type} ${code}`
  return [message === undefined ? name : `${name}: ${message}`, stack.split('\n', 1)[0]].filter(Boolean).join(' ')
}
