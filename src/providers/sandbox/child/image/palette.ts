import { makeRandom } from '../random.ts'

/** A colour as red, green and blue, each 0 to 255. */
export type Colour = readonly [number, number, number]

export type Palette = { dark: Colour; deep: Colour; bright: Colour; accents: [Colour, Colour, Colour] }

/** The colours of a prompt. Equal prompts have equal colours for any seed; different prompts start from different hues. */
export function paletteOf(prompt: string): Palette {
  const random = makeRandom('palette', prompt)
  const hue = random.between(0, 360)
  const turn = random.pick([30, 60, 120, 150, 180])
  const saturation = random.between(0.55, 0.85)
  return {
    dark: fromHsl(hue + 10, saturation * 0.7, 0.12),
    deep: fromHsl(hue, saturation, random.between(0.24, 0.36)),
    bright: fromHsl(hue + turn / 2, saturation, random.between(0.5, 0.62)),
    accents: [
      fromHsl(hue + turn, saturation, 0.6),
      fromHsl(hue - turn, saturation * 0.9, 0.68),
      fromHsl(hue + 2 * turn, saturation * 0.8, 0.78),
    ],
  }
}

export function hex(colour: Colour): string {
  return `#${colour.map((part) => part.toString(16).padStart(2, '0')).join('')}`
}

function fromHsl(hueDegrees: number, saturation: number, lightness: number): Colour {
  const hue = ((hueDegrees % 360) + 360) % 360
  const reach = saturation * Math.min(lightness, 1 - lightness)
  const channel = (offset: number) => {
    const position = (offset + hue / 30) % 12
    return Math.round(255 * (lightness - reach * Math.max(-1, Math.min(position - 3, 9 - position, 1))))
  }
  return [channel(0), channel(8), channel(4)]
}
