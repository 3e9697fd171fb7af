import { ActionIcon, Box, Group, Text, Title } from '@mantine/core'
import { IconHelp } from '@tabler/icons-react'
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'
import { useLocation, useNavigationType } from 'react-router'
import { useOptionalTeam } from '../../api/viewer.ts'
import { helpAt } from '../../help.ts'
import { WordBreaks } from '../display/WordBreaks.tsx'
import { isInDialog } from '../isInDialog.ts'

export type PageHeadingProps = {
  title: string
  /** The purpose of the page in one sentence. */
  description?: ReactNode
  /** Buttons and menus of the page, nowhere else. The primary action is last. */
  actions?: ReactNode
  /** False on a page that must not reveal its screen. */
  hasHelp?: boolean
}

/** The router's key of the location whose heading was shown last. */
let shownAt: string | undefined

/**
 * The heading of a page, with a link to its section of the guide. It sets the window title. It takes the focus after a navigation, and when
 * it replaces another state of the same page that had the focus, such as a failure. A dialog that was opened while the page loaded keeps it.
 */
export function PageHeading({ title, description, actions, hasHelp = true }: PageHeadingProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  const { key, pathname } = useLocation()
  const type = useNavigationType()
  // Fixed at the first render, so that a changed filter in the URL does not move the focus. The first page does not take it either: there
  // the keyboard begins at the top.
  const [isFirstPage] = useState(key === 'default' || type === 'REPLACE')
  const team = useOptionalTeam()
  const takeFocus = useEffectEvent(() => {
    const isReplaced = shownAt === key && document.activeElement === document.body
    shownAt = key
    if (isInDialog(document.activeElement)) return
    if (!isFirstPage || isReplaced) heading.current?.focus({ preventScroll: true })
  })
  useEffect(() => takeFocus(), [])
  return (
    <Group component="header" justify="space-between" align="flex-start" gap="md" mb="lg">
      <title>{[title, team?.name, 'Atelier'].filter(Boolean).join(' · ')}</title>
      <Box flex="1 1 280px" miw={0}>
        {/* One text with the link, which so follows the last word of the title. */}
        <Box fz="h1" lh="h1" style={{ overflowWrap: 'anywhere' }}>
          <Title order={1} ref={heading} tabIndex={-1} display="inline">
            <WordBreaks text={title} />
          </Title>
          {hasHelp && <HelpLink address={helpAt(pathname)} />}
        </Box>
        {description !== undefined && (
          <Text c="dimmed" mt={4} maw="70ch">
            {description}
          </Text>
        )}
      </Box>
      {actions !== undefined && (
        <Group gap="xs" maw="100%">
          {actions}
        </Group>
      )}
    </Group>
  )
}

const noBreakSpace = '\u00a0'

/** Opens the guide in a new tab, so that an open form stays. */
function HelpLink({ address }: { address: string | undefined }) {
  if (address === undefined) return null
  return (
    <>
      {noBreakSpace}
      <ActionIcon
        component="a"
        href={address}
        target="_blank"
        rel="noopener"
        variant="subtle"
        color="gray"
        size="sm"
        aria-label="Help"
        title="Help"
        style={{ verticalAlign: 'middle' }}
      >
        <IconHelp size={16} color="var(--mantine-color-dimmed)" aria-hidden />
      </ActionIcon>
    </>
  )
}
