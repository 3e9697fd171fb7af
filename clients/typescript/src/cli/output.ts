import type { CommandContext, Terminal } from './commandContext.ts'
import { visible, visibleJson } from './visible.ts'

export type Colour = 'red' | 'green' | 'yellow' | 'dim' | 'bold'

/** A text, with a colour where supported. */
export type Piece = string | { text: string; colour: Colour }

/**
 * The output of a command: data on standard output, everything else on standard error. All texts are sanitised here; no other code writes
 * lines.
 */
export type Output = {
  isJson: boolean
  /** True when standard output is a terminal. */
  isTerminal: boolean
  /** The line width of the terminal. */
  columns: number
  /** A line of data. */
  data(...pieces: Piece[]): void
  /** A line of data with tabs between cells. */
  row(cells: string[]): void
  /** A new secret, alone in its line. It is not masked, because it is shown only once. */
  secret(text: string): void
  /** A JSON value of the API, in one line. */
  json(value: unknown): void
  /** A progress message, which --quiet omits. */
  note(line: string): void
  /** An important message. */
  warn(line: string): void
  /** A line on standard error that the next output replaces; absent without a terminal. */
  live: ((line: string) => void) | undefined
}

const codes: Record<Colour, number> = { red: 31, green: 32, yellow: 33, dim: 2, bold: 1 }
const clearLine = '\r\u001b[K'

/** Makes the output with the given options. Anything that looks like a key is masked. */
export function outputOf({ stdout, stderr, env }: CommandContext, { json, quiet }: { json: boolean; quiet: boolean }): Output {
  let isLive = false
  const clear = () => {
    if (isLive) stderr.write(clearLine)
    isLive = false
  }
  const writeMessage = (line: string) => {
    clear()
    stderr.write(`${sanitized(line)}\n`)
  }
  const print = (line: string) => {
    clear()
    stdout.write(`${line}\n`)
  }
  const live = (line: string) => {
    stderr.write(clearLine + sanitized(line))
    isLive = line !== ''
  }
  const hasColours = isTerminal(stdout) && (env['NO_COLOR'] ?? '') === '' && env['TERM'] !== 'dumb'
  const painted = (piece: Piece) => {
    if (typeof piece === 'string') return sanitized(piece)
    return hasColours ? `\u001b[${codes[piece.colour]}m${sanitized(piece.text)}\u001b[0m` : sanitized(piece.text)
  }
  return {
    isJson: json,
    isTerminal: isTerminal(stdout),
    // Terminals of unknown width report 0.
    columns: stdout.columns || stderr.columns || 80,
    data: (...pieces) => print(pieces.map(painted).join('')),
    row: (cells) => print(cells.map(sanitized).join('\t')),
    secret: (text) => print(visible(text)),
    json: (value) => print(visibleJson(value)),
    note: (line) => void (quiet || writeMessage(line)),
    warn: writeMessage,
    live: isTerminal(stderr) && env['TERM'] !== 'dumb' && !quiet && !json ? live : undefined,
  }
}

function isTerminal(stream: Terminal): boolean {
  return stream.isTTY === true
}

/** Masks keys, because a misplaced key would appear in messages about its argument. */
function sanitized(text: string): string {
  return visible(text).replaceAll(/\batl_[0-9A-Za-z]{20,}/g, 'atl_…')
}
