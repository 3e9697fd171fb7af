import { Box, Group, Text, Title } from '@mantine/core'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useLocation, useNavigationType } from 'react-router'
import { useOptionalTeam } from '../../api/viewer.ts'

export type PageHeadingProps = {
  title: string
  /** One sentence that says what the page is for. */
  description?: ReactNode
  /** The page's primary action comes last. */
  actions?: ReactNode
}

/** The heading of a page, which also names the window, and takes the focus when somebody came here from another page. */
export function PageHeading({ title, description, actions }: PageHeadingProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  const { key } = useLocation()
  const type = useNavigationType()
  // As it was when the page came: a filter that changes the address later must not take the focus from where it is. Nor does the first
  // page, to which an address without one leads on: there the keyboard begins at the top.
  const [isFirstPage] = useState(key === 'default' || type === 'REPLACE')
  const team = useOptionalTeam()
  useEffect(() => {
    if (!isFirstPage) heading.current?.focus({ preventScroll: true })
  }, [isFirstPage])
  return (
    <Group component="header" justify="space-between" align="flex-start" gap="md" mb="lg">
      <title>{[title, team?.name, 'Atelier'].filter(Boolean).join(' · ')}</title>
      <Box flex="1 1 280px" miw={0}>
        <Title order={1} ref={heading} tabIndex={-1}>
          {title}
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
