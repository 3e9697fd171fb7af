import { hex, type Palette } from './palette.ts'

/** The size of the picture in pixels. The caption is at its bottom edge. */
export type CaptionBox = { width: number; height: number }

/** The lines of text and their plate; `top` is the upper edge of the plate. */
type Layout = { lines: string[]; fontPixels: number; labelPixels: number; top: number; margin: number }

/**
 * Draws the prompt as large as it fits into the lower part of the picture, with the label in small letters below. Text that does not fit
 * in the smallest size ends in an ellipsis. Returns SVG elements and the upper edge of the plate.
 */
export function captionSvg(text: { prompt: string; label: string }, box: CaptionBox, palette: Palette): { svg: string; top: number } {
  const layout = layOut(text.prompt, box)
  const { lines, fontPixels, labelPixels, top, margin } = layout
  const rows = lines.map((line, index) => {
    const baseline = top + margin + fontPixels * (0.9 + index * lineHeight)
    return `<text x="${margin}" y="${baseline.toFixed(1)}" font-weight="bold" font-size="${fontPixels.toFixed(1)}" fill="#ffffff">${escaped(line)}</text>`
  })
  const label = `<text x="${margin}" y="${(box.height - margin * 0.8).toFixed(1)}" font-size="${labelPixels.toFixed(1)}" fill="${hex(palette.accents[2])}">${escaped(text.label)}</text>`
  const plate = `<rect x="0" y="${top}" width="${box.width}" height="${box.height - top}" fill="${hex(palette.dark)}" fill-opacity="0.72"/>`
  const edge = `<rect x="0" y="${top}" width="${box.width}" height="${Math.max(1, Math.round(margin / 6))}" fill="${hex(palette.accents[0])}"/>`
  return { svg: `<g font-family="DejaVu Sans">${plate}${edge}${rows.join('')}${label}</g>`, top }
}

const lineHeight = 1.25

function layOut(prompt: string, { width, height }: CaptionBox): Layout {
  const side = Math.min(width, height)
  const margin = Math.max(3, Math.round(side / 28))
  const labelPixels = Math.max(6, side / 38)
  const words = visible(prompt)
  const room = { width: width - 2 * margin, height: height * 0.46 - 2 * margin - labelPixels * 1.6 }
  let fontPixels = Math.max(8, side / 11)
  const smallest = Math.max(7, side / 40)
  while (fontPixels > smallest && wrap(words, room.width / fontPixels).length * fontPixels * lineHeight > room.height) fontPixels *= 0.9
  const lines = cut(wrap(words, room.width / fontPixels), Math.max(1, Math.floor(room.height / (fontPixels * lineHeight))))
  const plate = 2 * margin + lines.length * fontPixels * lineHeight + labelPixels * 1.6
  return { lines, fontPixels, labelPixels, margin, top: Math.max(0, Math.floor(height - plate)) }
}

/** More characters than any picture can show. Keeps the layout of a 20,000 character prompt fast. */
const charactersShownMax = 1500

function visible(prompt: string): string[] {
  const words = [...prompt].slice(0, charactersShownMax).join('').split(/\s+/u)
  return words.filter((word) => word !== '')
}

/** Splits words into lines of at most `ems` times the font size. A word longer than a line is split too. */
function wrap(words: string[], ems: number): string[] {
  const lines: string[] = []
  let line = ''
  let used = 0
  const push = () => {
    if (line !== '') lines.push(line)
    line = ''
    used = 0
  }
  for (const word of words) {
    if (line !== '' && used + 0.35 + widthInEms(word) > ems) push()
    if (line !== '') line += ' '
    used += 0.35
    for (const character of word) {
      const width = widthInEms(character)
      if (line !== '' && used + width > ems) push()
      line += character
      used += width
    }
  }
  push()
  return lines
}

/** A high estimate of the width in DejaVu Sans Bold: breaking early is better than overflow. */
function widthInEms(text: string): number {
  let ems = 0
  for (const character of text) {
    if (/[ilI.,:;'|!j]/.test(character)) ems += 0.42
    else if (/[mwMW@%—]|[^\u0000-\u2fff]/u.test(character)) ems += 1.12
    else ems += character === character.toLowerCase() ? 0.7 : 0.84
  }
  return ems
}

function cut(lines: string[], linesMax: number): string[] {
  if (lines.length <= linesMax) return lines
  const kept = lines.slice(0, linesMax)
  kept[linesMax - 1] = `${[...(kept[linesMax - 1] ?? '')].slice(0, -1).join('')}…`
  return kept
}

/** XML cannot contain control characters or lone surrogates, so they become spaces. */
function escaped(text: string): string {
  return text
    .replaceAll(/[\p{Cc}\p{Cs}\ufffe\uffff]/gu, ' ')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
}
