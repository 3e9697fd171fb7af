import { visible, visibleJson } from './visible.ts'
import type { Terminal, World } from './world.ts'

export type Colour = 'red' | 'green' | 'yellow' | 'dim' | 'bold'

/** Text, and how it looks where there are colours. */
export type Piece = string | { text: string; colour: Colour }

/** What a command says: data on standard output, everything else on standard error. Texts are made harmless here; nothing else writes lines. */
export type Output = {
  isJson: boolean
  /** Whether a person looks at standard output. */
  isTerminal: boolean
  /** Characters of a line, where a person looks. */
  columns: number
  /** A line of data. */
  data(...pieces: Piece[]): void
  /** A line of data with tabs between its cells. */
  row(cells: string[]): void
  /** A value exactly as the API has it, in one line. */
  json(value: unknown): void
  /** A word on the way, which --quiet leaves out. */
  note(line: string): void
  /** What must be known. */
  warn(line: string): void
  /** A line on standard error that whatever is said next overwrites; absent where nobody looks. */
  live: ((line: string) => void) | undefined
}

const codes: Record<Colour, number> = { red: 31, green: 32, yellow: 33, dim: 2, bold: 1 }
const clearLine = '\r\u001b[K'

/** Output in the manner that was asked for. What looks like a key never gets through. */
export function outputOf({ stdout, stderr, env }: World, { json, quiet }: { json: boolean; quiet: boolean }): Output {
  let isLive = false
  const clear = () => {
    if (isLive) stderr.write(clearLine)
    isLive = false
  }
  const say = (line: string) => {
    clear()
    stderr.write(`${harmless(line)}\n`)
  }
  const print = (line: string) => {
    clear()
    stdout.write(`${line}\n`)
  }
  const live = (line: string) => {
    stderr.write(clearLine + harmless(line))
    isLive = line !== ''
  }
  const hasColours = isLookedAt(stdout) && (env['NO_COLOR'] ?? '') === '' && env['TERM'] !== 'dumb'
  const painted = (piece: Piece) => {
    if (typeof piece === 'string') return harmless(piece)
    return hasColours ? `\u001b[${codes[piece.colour]}m${harmless(piece.text)}\u001b[0m` : harmless(piece.text)
  }
  return {
    isJson: json,
    isTerminal: isLookedAt(stdout),
    // Terminals that do not know their width say 0.
    columns: stdout.columns || stderr.columns || 80,
    data: (...pieces) => print(pieces.map(painted).join('')),
    row: (cells) => print(cells.map(harmless).join('\t')),
    json: (value) => print(visibleJson(value)),
    note: (line) => void (quiet || say(line)),
    warn: say,
    live: isLookedAt(stderr) && env['TERM'] !== 'dumb' && !quiet && !json ? live : undefined,
  }
}

function isLookedAt(stream: Terminal): boolean {
  return stream.isTTY === true
}

/** A key that was mistaken for another argument would stand in the words about that argument. */
function harmless(text: string): string {
  return visible(text).replaceAll(/\batl_[0-9A-Za-z]{20,}/g, 'atl_…')
}
