import { Select, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { useMutation } from 'urql'
import { failureOf } from '../../api/failure.ts'
import { useViewer } from '../../api/viewer.ts'
import { deviceTimeZone, timeZones, zoneName } from '../../ui/display/timeZone.ts'
import { showFailed, showSaved } from '../../ui/feedback/notify.ts'
import { SetTimeZone } from './accountQueries.ts'

/** The zone in which the person sees times, in every browser. Days of usage and ceilings stay in UTC. */
export function TimeZoneChoice() {
  const { timeZone } = useViewer()
  const [, save] = useMutation(SetTimeZone)
  // Shown until the server has answered.
  const [asked, setAsked] = useState<{ zone: string | null }>()
  const zone = asked ? asked.zone : timeZone
  const choose = async (chosen: string | null) => {
    setAsked({ zone: chosen })
    const { error } = await save({ input: { timeZone: chosen } })
    setAsked(undefined)
    if (error) showFailed('The time zone was not saved', failureOf(error))
    else showSaved(chosen === null ? 'Times are shown in the time zone of the browser.' : `Times are shown in ${zoneName(chosen)}.`)
  }
  return (
    <section aria-labelledby="time-zone">
      <Title order={2} id="time-zone" mb="xs">
        Times
      </Title>
      <Select
        label="Time zone"
        description="For these pages, in every browser in which you sign in."
        maw={360}
        searchable
        clearable
        limit={50}
        placeholder={`Of this browser: ${zoneName(deviceTimeZone())}`}
        nothingFoundMessage="No time zone has this name"
        data={optionsWith(zone)}
        value={zone}
        onChange={(chosen) => void choose(chosen)}
        clearButtonProps={{ 'aria-label': 'Use the time zone of the browser', 'aria-hidden': false, tabIndex: 0 }}
        comboboxProps={{ shadow: 'md' }}
      />
      <Text size="sm" c="dimmed" mt={6}>
        Days of usage, and the ends of days and months for ceilings, are in UTC.
      </Text>
    </section>
  )
}

/** Browsers list one name per zone. The chosen zone may have another one. */
function optionsWith(zone: string | null) {
  const known = timeZones()
  const names = zone === null || known.includes(zone) ? known : [zone, ...known]
  return names.map((name) => ({ value: name, label: zoneName(name) }))
}
