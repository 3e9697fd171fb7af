import { Code, Paper, Text, Title } from '@mantine/core'
import { Configurations } from './Configurations.tsx'

/** How common agents are told of this service. */
export function ConnectAgent() {
  return (
    <Paper
      component="section"
      aria-label="Connect an agent"
      withBorder
      radius="lg"
      p={{ base: 'md', sm: 'lg' }}
      bg="var(--atelier-surface)"
    >
      <Title order={2} mb={4}>
        Connect an agent
      </Title>
      <Text size="sm" c="dimmed" mb="md" maw="80ch">
        Agents speak MCP over Streamable HTTP with <Code>{`${location.origin}/mcp`}</Code> and send the key as a bearer. Put your key where{' '}
        <Code>atl_YOUR_AGENT_KEY</Code> stands; right after you issue one, these lines hold it.
      </Text>
      <Configurations />
    </Paper>
  )
}
