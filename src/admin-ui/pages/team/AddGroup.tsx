import { Button, Group, Select, TextInput } from '@mantine/core'
import { type SubmitEvent, useState } from 'react'
import type { Failure } from '../../api/failure.ts'
import { assignableRoles } from '../../api/permissions.generated.ts'
import type { Role } from '../../api/viewer.ts'
import { ErrorNotice } from '../../ui/feedback/ErrorNotice.tsx'
import { showSaved } from '../../ui/feedback/notify.ts'
import { roleLabels, roleOptions } from './roleRules.ts'

/** A form that gives a group a role. */
export function AddGroup({ onAdd }: { onAdd(group: string, role: Role): Promise<Failure | undefined> }) {
  const [group, setGroup] = useState('')
  const [role, setRole] = useState<Role>('MEMBER')
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Failure>()
  const issue = failure?.code === 'invalid_request' ? failure.message : undefined
  const add = async (event: SubmitEvent) => {
    event.preventDefault()
    setBusy(true)
    const refused = await onAdd(group, role)
    setBusy(false)
    setFailure(refused)
    if (refused) return
    setGroup('')
    showSaved(`The group gives the role ${roleLabels[role].name} from the next sign-in on.`)
  }
  return (
    <form onSubmit={(event) => void add(event)} noValidate>
      <Group align="flex-start" gap="sm" mt="md">
        <TextInput
          label="Group"
          description="Exactly as in the ID token."
          autoComplete="off"
          spellCheck={false}
          w={{ base: '100%', xs: 320 }}
          value={group}
          onChange={(event) => {
            setGroup(event.currentTarget.value)
            setFailure(undefined)
          }}
          error={issue}
        />
        <Select
          label="Role"
          description={roleLabels[role].may}
          data={roleOptions}
          value={role}
          onChange={(chosen) => setRole(assignableRoles.OWNER.find((each) => each === chosen) ?? role)}
          allowDeselect={false}
          w={{ base: '100%', xs: 330 }}
          comboboxProps={{ shadow: 'md' }}
        />
      </Group>
      {failure && issue === undefined && <ErrorNotice title="The group was not added" failure={failure} />}
      <Button type="submit" variant="default" mt="sm" loading={busy} disabled={group.trim() === ''}>
        Add group
      </Button>
    </form>
  )
}
