import { Alert, Text } from '@mantine/core'
import { IconInfoCircle } from '@tabler/icons-react'
import { askOperatorTo } from '../../ui/feedback/askOperator.ts'

/** Why there is no key to be had, and who can help. */
export function NoSubscription() {
  return (
    <Alert color="gray" variant="light" icon={<IconInfoCircle size={18} aria-hidden />} title="Your subscription is not active" mb="lg">
      <Text size="sm">
        Keys for agents go with an active subscription. {askOperatorTo('activate yours')} Then load this page again. Keys that you hold from
        before are refused until then.
      </Text>
    </Alert>
  )
}
