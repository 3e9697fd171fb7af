const barWidth = 4
const gap = 1
const figures = new Intl.NumberFormat()

/** One bar; `span`: the hour or day in words. */
export type HealthBar = { key: string; span: string; delivered: number; failedAttempts: number }

export const deliveredColor = 'light-dark(#2f9e44, #51cf66)'
export const failedColor = 'light-dark(#e03131, #ff6b6b)'

type HealthBarsProps = {
  bars: readonly HealthBar[]
  label: string
  /** In pixels. */
  height?: number
  /** The bars are as wide as the container. */
  fills?: boolean
}

/** A bar per hour or day: deliveries, and above them failed attempts in red. */
export function HealthBars({ bars, label, height = 24, fills = false }: HealthBarsProps) {
  const width = bars.length * (barWidth + gap) - gap
  const most = Math.max(1, ...bars.map((bar) => bar.delivered + bar.failedAttempts))
  // Small counts are still visible.
  const tall = (count: number) => (count === 0 ? 0 : Math.max(2, (count / most) * (height - 2)))
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${width} ${height}`}
      width={fills ? '100%' : width}
      height={height}
      preserveAspectRatio={fills ? 'none' : undefined}
      style={{ display: 'block', flex: 'none', maxWidth: '100%' }}
    >
      {bars.map(({ key, span, delivered, failedAttempts }, index) => {
        const failed = tall(failedAttempts)
        const arrived = Math.min(tall(delivered), height - failed)
        const bar = { x: index * (barWidth + gap), width: barWidth }
        return (
          <g key={key}>
            <title>{`${span}: ${figures.format(delivered)} delivered, ${figures.format(failedAttempts)} failed`}</title>
            <rect {...bar} y={0} height={height} fill="transparent" />
            <rect {...bar} y={height - 1} height={1} fill="var(--atelier-border)" />
            <rect {...bar} y={height - arrived} height={arrived} fill={deliveredColor} />
            <rect {...bar} y={height - arrived - failed} height={failed} fill={failedColor} />
          </g>
        )
      })}
    </svg>
  )
}
