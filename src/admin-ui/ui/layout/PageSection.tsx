import { Anchor, Group, Title } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import { Link } from 'react-router'

type PageSectionProps = {
  title: string
  /** Where all of it is. */
  more?: { to: string; words: string }
  children: ReactNode
}

/** A part of a page with a heading. */
export function PageSection({ title, more, children }: PageSectionProps) {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <Group justify="space-between" mb="xs">
        <Title order={2} id={id}>
          {title}
        </Title>
        {more && (
          <Anchor component={Link} to={more.to} size="sm">
            {more.words}
          </Anchor>
        )}
      </Group>
      {children}
    </section>
  )
}
