import { Stack, Text } from '@mantine/core'
import { useViewer } from '../../api/viewer.ts'
import { PageHeading } from '../../ui/layout/PageHeading.tsx'
import { PasswordForm } from './PasswordForm.tsx'
import { Sessions } from './Sessions.tsx'
import { TimeZoneChoice } from './TimeZoneChoice.tsx'

/** The person's own password, sessions and time zone. Contract: docs/contract.md#pages. */
export function AccountPage() {
  const { name, email } = useViewer()
  return (
    <>
      <PageHeading
        title="Account"
        description={
          <Text span inherit style={{ overflowWrap: 'anywhere' }}>
            {name}, {email}
          </Text>
        }
      />
      <Stack gap="xl">
        <PasswordForm />
        <Sessions />
        <TimeZoneChoice />
      </Stack>
    </>
  )
}
