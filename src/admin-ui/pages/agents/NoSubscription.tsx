import { Alert, Text } from '@mantine/core'
import { IconInfoCircle } from '@tabler/icons-react'
import { askOperatorTo } from '../../ui/feedback/askOperator.ts'

/** Why the person cannot have a key, and who can help. */
export function NoSubscription() {
  return (
    <Alert color="gray" variant="light" icon={<IconInfoCircle size={18} aria-hidden />} title="Your subscription is not active" mb="lg">
      <Text size="sm">
        Agent keys need an active subscription. {askOperatorTo('activate yours')} Then reload this page. Until then your existing keys are
        refused.
      </Text>
    </Alert>
  )
}
