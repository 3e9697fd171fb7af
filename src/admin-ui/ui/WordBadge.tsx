import { Badge } from '@mantine/core'

export type WordColor = 'gray' | 'blue' | 'green' | 'orange' | 'red'

/** Mantine's darkest orange and green are too faint for text on their own light ground. */
const darkest: Partial<Record<WordColor, string>> = { orange: '#a33a00', green: '#206d2f' }

/** A state in one word, which the colour only underlines. */
export function WordBadge({ word, color }: { word: string; color: WordColor }) {
  const text = `light-dark(${darkest[color] ?? `var(--mantine-color-${color}-9)`}, var(--mantine-color-${color}-2))`
  return (
    <Badge variant="light" color={color} style={{ color: text }}>
      {word}
    </Badge>
  )
}
