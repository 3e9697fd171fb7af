import { type AlertProps, type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { createElement } from 'react'
import { BusyButton } from './form/BusyButton.tsx'

// Mantine's own icon is exposed to screen readers as an image.
const closeButtonProps = { 'aria-label': 'Close', icon: createElement(IconX, { size: 18, stroke: 1.6, 'aria-hidden': true }) }

// Titles are heavier than the labels below them.
const titleStyles = { title: { fontSize: 'var(--mantine-h2-font-size)', fontWeight: 600 } }

const accent: MantineColorsTuple = [
  '#eef0ff',
  '#dcdffb',
  '#b6bcf0',
  '#8f98e6',
  '#6d78de',
  '#5763da',
  '#4c59d8',
  '#3f4bc4',
  '#3643af',
  '#2b399b',
]

/** Neutral greys of the dark scheme: text first, the page background at 7. */
const dark: MantineColorsTuple = [
  '#e2e4e8',
  '#b4b7be',
  '#9a9ea7',
  '#5d626d',
  '#3b3f48',
  '#2d3139',
  '#22252c',
  '#17191e',
  '#131519',
  '#0e0f12',
]

/** The border of a notice, in its colour. */
function noticeBorder(color: string | undefined): string {
  return `1px solid color-mix(in srgb, var(--mantine-color-${color ?? 'gray'}-6) 35%, var(--atelier-border))`
}

/** Tinted backgrounds of badges and notices. Those of Mantine are solid colours in the dark scheme. */
const darkTints = Object.fromEntries(
  ['gray', 'red', 'orange', 'green', 'blue'].flatMap((color) =>
    [
      ['light', 16],
      ['light-hover', 24],
    ].map(([name, share]) => [
      `--mantine-color-${color}-${name}`,
      `color-mix(in srgb, var(--mantine-color-${color}-6) ${share}%, var(--atelier-surface))`,
    ]),
  ),
)

/** Calm and dense: one accent colour, neutral greys, 14 px text. */
export const theme = createTheme({
  primaryColor: 'accent',
  primaryShade: { light: 7, dark: 8 },
  autoContrast: true,
  respectReducedMotion: true,
  cursorType: 'pointer',
  defaultRadius: 'md',
  fontFamily: "'Inter Variable', system-ui, sans-serif",
  fontFamilyMonospace: "'JetBrains Mono Variable', ui-monospace, monospace",
  black: '#1b1e24',
  colors: { accent, dark },
  fontSizes: { xs: '0.75rem', sm: '0.875rem', md: '0.875rem', lg: '1rem', xl: '1.125rem' },
  headings: {
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '1.375rem', lineHeight: '1.3' },
      h2: { fontSize: '1rem', lineHeight: '1.4' },
      h3: { fontSize: '0.875rem', lineHeight: '1.45' },
    },
  },
  radius: { xs: '3px', sm: '4px', md: '6px', lg: '8px', xl: '12px' },
  components: {
    Modal: { defaultProps: { closeButtonProps, centered: true, overlayProps: { backgroundOpacity: 0.45 } }, styles: titleStyles },
    Drawer: { defaultProps: { closeButtonProps, overlayProps: { backgroundOpacity: 0.25 } }, styles: titleStyles },
    // Not named after the field, because people and tests find the field by that name.
    PasswordInput: { defaultProps: { visibilityToggleButtonProps: { 'aria-label': 'Show what is typed', tabIndex: 0 } } },
    Tooltip: { defaultProps: { withArrow: true, openDelay: 250, events: { hover: true, focus: true, touch: true } } },
    // The first item gets the focus, because the focus placeholder is not allowed in a menu.
    Menu: { defaultProps: { shadow: 'md', position: 'bottom-end', withInitialFocusPlaceholder: false } },
    // Colour alone does not identify a link.
    Anchor: { defaultProps: { underline: 'always' } },
    // Titles in the alert's own colour have too little contrast (WCAG 1.4.3).
    Alert: {
      defaultProps: { p: 'sm' },
      styles: (_theme: unknown, { color }: AlertProps) => ({
        root: { border: noticeBorder(color) },
        label: { color: 'var(--mantine-color-text)' },
      }),
    },
    Button: { defaultProps: { component: BusyButton } },
    // Enter takes the first option that matches what was typed.
    Select: { defaultProps: { selectFirstOptionOnChange: true } },
    MultiSelect: { defaultProps: { selectFirstOptionOnChange: true } },
    Badge: { defaultProps: { tt: 'none', radius: 'sm', fw: 500 } },
    InputWrapper: { styles: { label: { marginBottom: 4 }, description: { marginBottom: 4 } } },
    // The font of code, 40 kB, is loaded only by pages that show code.
    Kbd: { styles: { root: { fontFamily: 'inherit' } } },
    Table: { defaultProps: { highlightOnHoverColor: 'var(--atelier-hover)' } },
    Skeleton: { defaultProps: { radius: 'sm' } },
  },
})

/** Of global.css. They replace the values of Mantine in each scheme. */
const textColors = { '--mantine-color-text': 'var(--atelier-text)', '--mantine-color-dimmed': 'var(--atelier-dimmed)' }

/** Mantine's greys have too little contrast for text (WCAG 1.4.3). Ours have at least 4.5:1 on all our backgrounds. */
export const variablesResolver: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    ...textColors,
    '--mantine-color-placeholder': '#686e79',
    '--mantine-color-error': '#c92a2a',
  },
  dark: {
    ...textColors,
    ...darkTints,
    '--mantine-color-placeholder': '#9196a1',
    '--mantine-color-error': '#ff8787',
    '--mantine-color-anchor': '#9aa3f0',
  },
})
