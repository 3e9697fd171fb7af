import { Group, Text } from '@mantine/core'
import { scopes as inOrder, scopeLabels } from './keyLabels.ts'
import type { Scope } from './keyQueries.ts'

/** The scopes of a key. */
export function Scopes({ scopes }: { scopes: readonly Scope[] }) {
  return (
    <Group gap="0 10px" miw={124}>
      {inOrder
        .filter((scope) => scopes.includes(scope))
        .map((scope) => (
          <Text key={scope} size="xs" ff="monospace" fz={11} style={{ whiteSpace: 'nowrap' }}>
            {scopeLabels[scope].text}
          </Text>
        ))}
    </Group>
  )
}
