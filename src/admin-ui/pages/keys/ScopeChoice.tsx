import { Checkbox, SimpleGrid } from '@mantine/core'
import { scopeLabels, scopes } from './keyLabels.ts'
import type { Scope } from './keyQueries.ts'

export type ScopeChoiceProps = { chosen: readonly Scope[]; error: string | undefined; onChange(chosen: Scope[]): void }

/** A checkbox per scope, with its meaning. */
export function ScopeChoice({ chosen, error, onChange }: ScopeChoiceProps) {
  return (
    <Checkbox.Group
      label="Scopes"
      description="What the key may do. You cannot change this later."
      error={error}
      value={[...chosen]}
      onChange={(values) => onChange(scopes.filter((scope) => values.includes(scope)))}
    >
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md" verticalSpacing={8} mt={8}>
        {scopes.map((scope) => (
          <Checkbox
            key={scope}
            value={scope}
            label={scopeLabels[scope].text}
            description={scopeLabels[scope].allows}
            styles={{
              label: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 'var(--mantine-font-size-sm)' },
              description: { marginTop: 0 },
            }}
          />
        ))}
      </SimpleGrid>
    </Checkbox.Group>
  )
}
