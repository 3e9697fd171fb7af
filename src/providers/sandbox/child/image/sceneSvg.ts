import type { Random } from '../random.ts'
import { type Colour, hex, type Palette } from './palette.ts'

export type Richness = 'plain' | 'medium' | 'rich'

type Canvas = { width: number; height: number; palette: Palette; random: Random }
type Motif = (canvas: Canvas, count: number) => string

/** The number of layers over the gradient, and of shapes per layer. */
const richnesses: Record<Richness, { layers: number; shapes: number }> = {
  plain: { layers: 1, shapes: 4 },
  medium: { layers: 2, shapes: 14 },
  rich: { layers: 4, shapes: 40 },
}

/** An abstract picture as SVG elements: colours from the palette, arrangement from `random`, detail from `richness`. */
export function sceneSvg(canvas: Canvas, richness: Richness): string {
  const { layers, shapes } = richnesses[richness]
  const { random } = canvas
  const order = shuffled([hills, bubbles, shards, rays], random)
  const drawn = order.slice(0, layers).map((motif) => motif(canvas, shapes))
  const finish = richness === 'rich' ? mesh(canvas) + frame(canvas) : ''
  return gradient(canvas) + drawn.join('') + finish
}

function gradient({ width, height, palette, random }: Canvas): string {
  const angle = random.between(0, Math.PI * 2)
  const [x, y] = [0.5 + Math.cos(angle) / 2, 0.5 + Math.sin(angle) / 2]
  const stops = [palette.dark, palette.deep, palette.bright].map(
    (colour, index) => `<stop offset="${index / 2}" stop-color="${hex(colour)}"/>`,
  )
  return `<linearGradient id="background" x1="${n(1 - x)}" y1="${n(1 - y)}" x2="${n(x)}" y2="${n(y)}">${stops.join('')}</linearGradient><rect width="${width}" height="${height}" fill="url(#background)"/>`
}

function hills({ width, height, palette, random }: Canvas, count: number): string {
  const rows = Math.max(3, Math.round(count / 4))
  return Array.from({ length: rows }, (_, row) => {
    const base = height * (0.35 + (0.6 * row) / rows)
    const [swing, waves, shift] = [height * random.between(0.03, 0.12), random.between(0.8, 2.4), random.between(0, 6.3)]
    const points = Array.from({ length: 33 }, (_, step) => {
      const x = (step / 32) * width
      return `${n(x)},${n(base + swing * Math.sin(shift + (step / 32) * waves * 6.3))}`
    })
    return `<polygon points="0,${height} ${points.join(' ')} ${width},${height}" fill="${hex(accent(palette, row))}" fill-opacity="0.38"/>`
  }).join('')
}

function bubbles({ width, height, palette, random }: Canvas, count: number): string {
  const side = Math.min(width, height)
  return Array.from({ length: count }, (_, index) => {
    const radius = side * random.between(0.03, index % 5 === 0 ? 0.28 : 0.12)
    const place = `cx="${n(random.between(0, width))}" cy="${n(random.between(0, height))}" r="${n(radius)}"`
    return `<circle ${place} fill="${hex(accent(palette, index))}" fill-opacity="${n(random.between(0.15, 0.55))}"/>`
  }).join('')
}

function shards({ width, height, palette, random }: Canvas, count: number): string {
  return Array.from({ length: count }, (_, index) => {
    const [x, y, reach] = [random.between(0, width), random.between(0, height), Math.min(width, height) * random.between(0.08, 0.3)]
    const corners = Array.from({ length: 3 }, () => `${n(x + random.between(-reach, reach))},${n(y + random.between(-reach, reach))}`)
    return `<polygon points="${corners.join(' ')}" fill="${hex(accent(palette, index))}" fill-opacity="${n(random.between(0.2, 0.5))}"/>`
  }).join('')
}

function rays({ width, height, palette, random }: Canvas, count: number): string {
  const [x, y, reach] = [random.between(0.2, 0.8) * width, random.between(0.1, 0.5) * height, width + height]
  const wedges = Array.from({ length: count }, (_, index) => {
    const [angle, spread] = [((index + random.unit() * 0.5) / count) * Math.PI * 2, (Math.PI / count) * random.between(0.3, 0.8)]
    const corner = (turn: number) => `${n(x + Math.cos(turn) * reach)},${n(y + Math.sin(turn) * reach)}`
    return `<polygon points="${n(x)},${n(y)} ${corner(angle)} ${corner(angle + spread)}" fill="${hex(palette.accents[1])}" fill-opacity="0.2"/>`
  })
  return `${wedges.join('')}<circle cx="${n(x)}" cy="${n(y)}" r="${n(Math.min(width, height) * 0.09)}" fill="${hex(palette.accents[2])}"/>`
}

function mesh({ width, height, palette, random }: Canvas): string {
  const spacing = Math.max(6, Math.min(width, height) / random.whole(28, 44))
  const lines: string[] = []
  for (let place = -height; place < width; place += spacing) lines.push(`M${n(place)} ${height}L${n(place + height)} 0`)
  return `<path d="${lines.join('')}" stroke="${hex(palette.accents[2])}" stroke-opacity="0.16" stroke-width="${n(spacing / 9)}"/>`
}

function frame({ width, height, palette }: Canvas): string {
  const inset = Math.min(width, height) / 40
  return `<rect x="${n(inset)}" y="${n(inset)}" width="${n(width - 2 * inset)}" height="${n(height - 2 * inset)}" fill="none" stroke="${hex(palette.accents[2])}" stroke-width="${n(inset / 4)}"/>`
}

function shuffled(motifs: Motif[], random: Random): Motif[] {
  return motifs
    .map((motif) => ({ motif, rank: random.unit() }))
    .toSorted((one, other) => one.rank - other.rank)
    .map(({ motif }) => motif)
}

function accent(palette: Palette, index: number): Colour {
  return palette.accents[index % 3] ?? palette.accents[0]
}

function n(value: number): string {
  return value.toFixed(2)
}
