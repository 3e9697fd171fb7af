import { Stack, Tabs, Text } from '@mantine/core'
import { CodeBlock } from '../../ui/display/CodeBlock.tsx'
import { agentConfigurations } from './agentConfigurations.ts'

/** The configuration of each agent, with the `value` of a key or a placeholder. */
export function Configurations({ value }: { value?: string }) {
  const configurations = agentConfigurations({ address: `${location.origin}/mcp`, key: value })
  return (
    <Tabs defaultValue={configurations[0]?.id} keepMounted={false}>
      <Tabs.List aria-label="Agents">
        {configurations.map(({ id, name }) => (
          <Tabs.Tab key={id} value={id} px="xs">
            {name}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {configurations.map(({ id, hint, blocks }) => (
        <Tabs.Panel key={id} value={id} pt="md">
          <Stack gap="sm">
            {blocks.map(({ label, code }) => (
              <CodeBlock key={label} label={label} code={code} wrap={!code.startsWith('{')} />
            ))}
            <Text size="xs" c="dimmed" maw="80ch">
              {hint}
            </Text>
          </Stack>
        </Tabs.Panel>
      ))}
    </Tabs>
  )
}
