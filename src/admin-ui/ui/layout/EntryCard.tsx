import { Center, Paper, Stack, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { Brand } from './Brand.tsx'

/** The layout of a page that needs no session: one card in the middle. */
export function EntryCard({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Center mih="100dvh" p="md" component="main">
      <title>{`${title} · Atelier`}</title>
      <Paper w="100%" maw={400} p={{ base: 'lg', xs: 'xl' }} withBorder bg="var(--atelier-surface)">
        <Stack gap="md">
          <div>
            <Brand />
            <Title order={1} mt="sm">
              {title}
            </Title>
          </div>
          {children}
        </Stack>
      </Paper>
    </Center>
  )
}
