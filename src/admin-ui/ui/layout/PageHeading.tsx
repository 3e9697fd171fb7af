import { Box, Group, Text, Title } from '@mantine/core'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useLocation, useNavigationType } from 'react-router'
import { useOptionalTeam } from '../../api/viewer.ts'
import { SlashBreaks } from '../display/SlashBreaks.tsx'

export type PageHeadingProps = {
  title: string
  /** The purpose of the page in one sentence. */
  description?: ReactNode
  /** The primary action is last. */
  actions?: ReactNode
}

/** The heading of a page. It sets the window title and takes the focus after a navigation. */
export function PageHeading({ title, description, actions }: PageHeadingProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  const { key } = useLocation()
  const type = useNavigationType()
  // Fixed at the first render, so that a changed filter in the URL does not move the focus. The first page does not take it either: there
  // the keyboard begins at the top.
  const [isFirstPage] = useState(key === 'default' || type === 'REPLACE')
  const team = useOptionalTeam()
  useEffect(() => {
    if (!isFirstPage) heading.current?.focus({ preventScroll: true })
  }, [isFirstPage])
  return (
    <Group component="header" justify="space-between" align="flex-start" gap="md" mb="lg">
      <title>{[title, team?.name, 'Atelier'].filter(Boolean).join(' · ')}</title>
      <Box flex="1 1 280px" miw={0}>
        <Title order={1} ref={heading} tabIndex={-1} style={{ overflowWrap: 'anywhere' }}>
          <SlashBreaks text={title} />
        </Title>
        {description !== undefined && (
          <Text c="dimmed" mt={4} maw="70ch">
            {description}
          </Text>
        )}
      </Box>
      {actions !== undefined && <Group gap="xs">{actions}</Group>}
    </Group>
  )
}
