import { Button, PasswordInput, Stack, TextInput } from '@mantine/core'
import { type SubmitEvent, useState } from 'react'
import type { Failure } from '../../api/failure.ts'
import { issuesByField } from '../../api/issuesByField.ts'
import { ErrorNotice } from '../../ui/feedback/ErrorNotice.tsx'

type NewAccountFormProps = { busy: boolean; failure: Failure | undefined; onSubmit(person: { name: string; password: string }): void }

/** Name and password of a person without an account. */
export function NewAccountForm({ busy, failure, onSubmit }: NewAccountFormProps) {
  const [name, setName] = useState('')
  const [password, setPassword] = useState('')
  const issues = issuesByField(failure)
  const atField = issues['name'] ?? issues['password']
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    onSubmit({ name, password })
  }
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <TextInput
          label="Name"
          autoComplete="name"
          value={name}
          onChange={({ currentTarget: { value } }) => setName(value)}
          error={issues['name']}
        />
        <PasswordInput
          label="Password"
          description="At least 8 characters."
          autoComplete="new-password"
          value={password}
          onChange={({ currentTarget: { value } }) => setPassword(value)}
          error={issues['password']}
        />
        {failure && atField === undefined && <ErrorNotice failure={failure} />}
        <Button type="submit" loading={busy} disabled={name.trim() === '' || password === ''}>
          Accept
        </Button>
      </Stack>
    </form>
  )
}
