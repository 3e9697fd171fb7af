import { Stack, Text, ThemeIcon, Title } from '@mantine/core'
import type { TablerIcon } from '@tabler/icons-react'
import type { ReactNode } from 'react'

export type EmptyStateProps = {
  icon: TablerIcon
  title: ReactNode
  /** What would be listed here, and what to do. */
  children: ReactNode
  action?: ReactNode
}

/** Replaces an empty list. */
export function EmptyState({ icon: Icon, title, children, action }: EmptyStateProps) {
  return (
    <Stack align="center" gap="xs" py={56} px="md" ta="center">
      <ThemeIcon variant="light" color="gray" size={44} radius="xl" aria-hidden>
        <Icon size={22} stroke={1.5} />
      </ThemeIcon>
      <Title order={2} mt={4}>
        {title}
      </Title>
      <Text c="dimmed" maw="46ch">
        {children}
      </Text>
      {action !== undefined && <div style={{ marginTop: 8 }}>{action}</div>}
    </Stack>
  )
}
