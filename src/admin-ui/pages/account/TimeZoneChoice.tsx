import { Select, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { chooseTimeZone, chosenTimeZone, deviceTimeZone, timeZones } from '../../ui/display/timeZone.ts'

/** The zone in which this browser shows times. Days of usage and ceilings stay in UTC. */
export function TimeZoneChoice() {
  const [zone, setZone] = useState(chosenTimeZone)
  const choose = (chosen: string | undefined) => {
    chooseTimeZone(chosen)
    setZone(chosen)
  }
  return (
    <section aria-labelledby="time-zone">
      <Title order={2} id="time-zone" mb="xs">
        Times
      </Title>
      <Select
        label="Time zone"
        description="For this browser."
        maw={360}
        searchable
        clearable
        limit={50}
        placeholder={`Of this device: ${deviceTimeZone()}`}
        nothingFoundMessage="No time zone has this name"
        data={timeZones()}
        value={zone ?? null}
        onChange={(chosen) => choose(chosen ?? undefined)}
        clearButtonProps={{ 'aria-label': 'Use the time zone of this device' }}
        comboboxProps={{ shadow: 'md' }}
      />
      <Text size="sm" c="dimmed" mt={6}>
        Days of usage, and the ends of days and months for ceilings, are in UTC.
      </Text>
    </section>
  )
}
