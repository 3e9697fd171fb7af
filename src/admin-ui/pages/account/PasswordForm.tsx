import { Button, PasswordInput, Stack, Text, Title } from '@mantine/core'
import { type SubmitEvent, useState } from 'react'
import { useMutation, useQuery } from 'urql'
import { type Failure, failureOf } from '../../api/failure.ts'
import { issuesByField } from '../../api/issuesByField.ts'
import { useViewer } from '../../api/viewer.ts'
import { ErrorNotice } from '../../ui/feedback/ErrorNotice.tsx'
import { showSaved } from '../../ui/feedback/notify.ts'
import { AccountQuery, ChangePassword } from './accountQueries.ts'

const empty = { oldPassword: '', newPassword: '' }

/** Changes the password, and ends the other sessions. */
export function PasswordForm() {
  const [{ data }] = useQuery({ query: AccountQuery })
  return (
    <section aria-labelledby="password">
      <Title order={2} id="password" mb="xs">
        Change password
      </Title>
      {data?.viewer.user?.hasPassword === false ? (
        <Text c="dimmed">This account has no password: you sign in through your organisation.</Text>
      ) : (
        <Fields />
      )}
    </section>
  )
}

function Fields() {
  const { email } = useViewer()
  const [{ fetching }, change] = useMutation(ChangePassword)
  const [passwords, setPasswords] = useState(empty)
  const [failure, setFailure] = useState<Failure>()
  const issues = issuesByField(failure)
  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    const { error } = await change({ input: passwords }, { additionalTypenames: ['Session'] })
    setFailure(error && failureOf(error))
    if (error) return
    setPasswords(empty)
    showSaved('The password was changed. Your other sessions have ended.')
  }
  const field = (name: keyof typeof empty) => ({
    value: passwords[name],
    error: issues[name],
    onChange: ({ currentTarget: { value } }: { currentTarget: HTMLInputElement }) => setPasswords((now) => ({ ...now, [name]: value })),
  })
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack gap="md" maw={360}>
        {/* For password managers. */}
        <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
        <PasswordInput label="Old password" autoComplete="current-password" {...field('oldPassword')} />
        <PasswordInput label="New password" description="At least 8 characters." autoComplete="new-password" {...field('newPassword')} />
        {failure && failure.code !== 'invalid_request' && <ErrorNotice title="The password was not changed" failure={failure} />}
        <div>
          <Button type="submit" loading={fetching} disabled={passwords.oldPassword === '' || passwords.newPassword === ''}>
            Save
          </Button>
        </div>
      </Stack>
    </form>
  )
}
