import { ActionIcon, Button, FileButton, Group, Input, Progress, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconFile, IconHistory, IconUpload, IconX } from '@tabler/icons-react'
import { type DragEvent, useEffectEvent, useId, useState } from 'react'
import { useTeam } from '../../api/viewer.ts'
import { formatCount, type MediumName, media } from '../catalog/familyLabels.ts'
import { ChooseResult } from './ChooseResult.tsx'
import classes from './InputField.module.css'
import { pictureOf } from './inputPictures.ts'
import { type PendingUpload, useUploads } from './useUploads.ts'

type InputFieldProps = {
  medium: MediumName
  limits: { min: number; max: number; mimeTypes: string[] }
  ids: string[]
  issue: string | undefined
  mayUpload: boolean
  onChange(ids: string[]): void
}

/** The inputs of one medium: dropped, chosen or pasted files, and results of earlier generations. */
export function InputField({ medium, limits, ids, issue, mayUpload, onChange }: InputFieldProps) {
  const { id: teamId } = useTeam()
  const labelId = useId()
  const [isOver, setOver] = useState(false)
  const [opened, { open, close }] = useDisclosure(false)
  // An upload ends later, when the list may have changed.
  const add = useEffectEvent((id: string) => onChange([...ids.filter((each) => each !== id), id]))
  const uploads = useUploads(teamId, (id) => add(id))
  const isFull = ids.length + uploads.pending.length >= limits.max
  const { name } = media[medium]
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    if (mayUpload) uploads.upload([...event.dataTransfer.files].slice(0, limits.max))
  }
  return (
    <div role="group" aria-labelledby={labelId}>
      <Input.Label id={labelId} required={limits.min > 0} labelElement="div">
        {name}
      </Input.Label>
      <div
        className={classes.zone}
        data-over={isOver || undefined}
        data-wrong={issue !== undefined || undefined}
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
        onPaste={(event) => mayUpload && uploads.upload(event.clipboardData.files)}
      >
        {ids.map((id, index) => (
          <Chosen key={id} id={id} onRemove={() => onChange(ids.filter((_each, place) => place !== index))} />
        ))}
        {uploads.pending.map((each) => (
          <Pending key={each.key} upload={each} />
        ))}
        <Group gap="xs">
          {mayUpload && (
            <FileButton
              accept={limits.mimeTypes.join(',')}
              multiple={limits.max > 1}
              onChange={(chosen) => uploads.upload([chosen ?? []].flat())}
            >
              {(button) => (
                <Button {...button} size="xs" variant="default" disabled={isFull} leftSection={<IconUpload size={14} aria-hidden />}>
                  Upload
                </Button>
              )}
            </FileButton>
          )}
          <Button size="xs" variant="default" disabled={isFull} leftSection={<IconHistory size={14} aria-hidden />} onClick={open}>
            From history
          </Button>
          <Text size="xs" c="dimmed">
            {mayUpload ? `Drop files here. Takes ${formatCount(medium, limits)}.` : `Takes ${formatCount(medium, limits)}.`}
          </Text>
        </Group>
      </div>
      {issue !== undefined && <Input.Error mt={4}>{issue}</Input.Error>}
      <ChooseResult medium={medium} opened={opened} onClose={close} onChoose={(id) => add(id)} />
    </div>
  )
}

/** A chosen input with its picture, where there is one. */
function Chosen({ id, onRemove }: { id: string; onRemove(): void }) {
  const picture = pictureOf(id)
  const name = picture?.name ?? id
  return (
    <div className={classes.item}>
      {picture?.url === undefined ? (
        <IconFile size={20} stroke={1.5} aria-hidden />
      ) : (
        <img src={picture.url} alt="" className={classes.picture} />
      )}
      <Text size="xs" truncate flex={1} title={id}>
        {name}
      </Text>
      <ActionIcon size="sm" variant="subtle" color="gray" aria-label={`Remove ${name}`} onClick={onRemove}>
        <IconX size={14} aria-hidden />
      </ActionIcon>
    </div>
  )
}

function Pending({ upload: { name, share, refused, cancel } }: { upload: PendingUpload }) {
  return (
    <div className={classes.item}>
      <div style={{ flex: 1, minWidth: 0 }}>
        <Text size="xs" truncate>
          {name}
        </Text>
        {refused === undefined ? (
          <Progress value={Math.max(3, share * 100)} size="sm" mt={4} aria-label={`Upload of ${name}`} />
        ) : (
          <Text size="xs" c="var(--mantine-color-error)" role="alert">
            {refused}
          </Text>
        )}
      </div>
      <ActionIcon size="sm" variant="subtle" color="gray" aria-label={`Cancel the upload of ${name}`} onClick={cancel}>
        <IconX size={14} aria-hidden />
      </ActionIcon>
    </div>
  )
}
