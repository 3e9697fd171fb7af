import { Badge } from '@mantine/core'

export type BadgeColor = 'gray' | 'blue' | 'green' | 'orange' | 'red'

/** The darkest shades of Mantine have too little contrast for small text on their light backgrounds (WCAG 1.4.3). */
const darkest: Partial<Record<BadgeColor, string>> = { green: '#1f6b30', orange: '#a33a00', red: '#a51d1d', blue: '#14548f' }

/** A label. The colour only emphasises the text. */
export function TextBadge({ word, color }: { word: string; color: BadgeColor }) {
  const text = `light-dark(${darkest[color] ?? `var(--mantine-color-${color}-9)`}, var(--mantine-color-${color}-2))`
  return (
    <Badge variant="light" color={color} style={{ color: text, minWidth: 'max-content' }}>
      {word}
    </Badge>
  )
}
