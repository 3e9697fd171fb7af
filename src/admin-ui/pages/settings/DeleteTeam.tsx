import { Button, Group, List, Paper, Stack, Text, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { type SubmitEvent, useState } from 'react'
import { useMutation } from 'urql'
import { type Failure, failureOf } from '../../api/failure.ts'
import { useTeam } from '../../api/viewer.ts'
import { base } from '../../paths.ts'
import { roleMay } from '../../shell/screensFor.ts'
import { ErrorNotice } from '../../ui/feedback/ErrorNotice.tsx'
import { FormDialog } from '../../ui/form/FormDialog.tsx'
import { DeleteTeam as DeleteTeamMutation } from './settingsQueries.ts'

/** Deletes the team. Only an owner can do this, by typing its name. */
export function DeleteTeam() {
  const { name, role } = useTeam()
  const mayDelete = roleMay(role, 'team.delete')
  const [opened, { open, close }] = useDisclosure(false)
  return (
    <Paper withBorder p="md" style={{ borderColor: 'var(--mantine-color-error)' }}>
      <Group justify="space-between" gap="md">
        <Text maw="60ch">
          Deletes {name} for good: its keys, links, webhooks, history, files and members.
          {mayDelete ? ' Only its ledger stays, with the operator.' : ' Only an owner may do that.'}
        </Text>
        {mayDelete && (
          <Button color="red.9" onClick={open}>
            Delete team
          </Button>
        )}
      </Group>
      <FormDialog opened={opened} onClose={close} title={`Delete ${name}?`} asks={false}>
        <DeleteTeamForm onCancel={close} />
      </FormDialog>
    </Paper>
  )
}

function DeleteTeamForm({ onCancel }: { onCancel(): void }) {
  const team = useTeam()
  const [{ fetching }, remove] = useMutation(DeleteTeamMutation)
  const [name, setName] = useState('')
  const [error, setError] = useState<string>()
  const [failure, setFailure] = useState<Failure>()
  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    setFailure(undefined)
    setError(name === team.name ? undefined : `Enter the exact name of the team: ${team.name}`)
    if (name !== team.name) return
    const answer = await remove({ input: { teamId: team.id, name } })
    if (answer.error) return setFailure(failureOf(answer.error))
    // Afterwards there is another team to show, or none.
    location.assign(base)
  }
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack gap="md">
        <List size="sm" spacing={4}>
          <List.Item>At once: all keys and result links stop working, webhooks get no more events, and all members are removed.</List.Item>
          <List.Item>Unfinished work is cancelled. Work that has begun is charged, other work is free.</List.Item>
          <List.Item>Within minutes: results, files, prompts and the log of deliveries are deleted.</List.Item>
          <List.Item>What stays, without names: the ledger, the charges by day, key and family, and for 400 days the audit log.</List.Item>
        </List>
        <Text size="sm" fw={600}>
          This cannot be undone.
        </Text>
        <TextInput
          label="Name of the team"
          description={`Type ${team.name} to confirm.`}
          autoComplete="off"
          value={name}
          onChange={({ currentTarget: { value } }) => setName(value)}
          error={error}
          data-autofocus
        />
        {failure && <ErrorNotice title="The team was not deleted" failure={failure} />}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" color="red.9" loading={fetching}>
            Delete team
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
