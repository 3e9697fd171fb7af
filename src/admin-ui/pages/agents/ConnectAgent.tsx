import { Code, Paper, Text, Title } from '@mantine/core'
import { Configurations } from './Configurations.tsx'

/** How to configure common agents for this service. */
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
        Agents connect over MCP (Streamable HTTP) to <Code>{`${location.origin}/mcp`}</Code> and send the key as a bearer token. Replace{' '}
        <Code>atl_YOUR_AGENT_KEY</Code> with your key. A new key is already filled in.
      </Text>
      <Configurations />
    </Paper>
  )
}
