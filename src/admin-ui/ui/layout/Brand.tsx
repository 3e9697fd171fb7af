import { Group, Text } from '@mantine/core'
import icon from '../../icon.svg'

/** The logo and name of the service. */
export function Brand() {
  return (
    <Group gap={8} wrap="nowrap">
      <img src={icon} alt="" width={20} height={20} />
      <Text span fw={600} size="sm">
        Atelier
      </Text>
    </Group>
  )
}
