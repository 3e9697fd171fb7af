import { ActionIcon, Button, FileButton, Group, Input, Progress, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconHistory, IconUpload, IconX } from '@tabler/icons-react'
import { type DragEvent, type ReactNode, useEffectEvent, useId, useState } from 'react'
import { useTeam } from '../../api/viewer.ts'
import { formatCount, formatTypes, type MediumName, media } from '../catalog/familyLabels.ts'
import { useInputFiles } from '../history/inputs/useInputFiles.ts'
import { ChooseResult } from './ChooseResult.tsx'
import { ChosenInput } from './ChosenInput.tsx'
import classes from './InputField.module.css'
import { type PendingUpload, useUploads } from './useUploads.ts'

type InputFieldProps = {
  medium: MediumName
  limits: { min: number; max: number; mimeTypes: string[] }
  ids: string[]
  issue: string | undefined
  mayUpload: boolean
  onWrong(): () => void
  onChange(ids: string[]): void
}

/** The inputs of one medium: dropped, chosen or pasted files, and results of earlier generations. */
export function InputField({ medium, limits, ids, issue, mayUpload, onWrong, onChange }: InputFieldProps) {
  const { id: teamId } = useTeam()
  const labelId = useId()
  const [opened, { open, close }] = useDisclosure(false)
  // An upload ends later, when the list may have changed.
  const add = useEffectEvent((id: string) => onChange([...ids.filter((each) => each !== id), id]))
  const files = useInputFiles(ids)
  const uploads = useUploads({ teamId, mimeTypes: limits.mimeTypes, onUploaded: (id) => add(id) })
  const isFull = ids.length + uploads.pending.length >= limits.max
  const { name } = media[medium]
  return (
    <div role="group" aria-labelledby={labelId}>
      <Input.Label id={labelId} required={limits.min > 0} labelElement="div">
        {name}
      </Input.Label>
      <DropZone isWrong={issue !== undefined} onFiles={(files) => mayUpload && uploads.upload([...files].slice(0, limits.max))}>
        {ids.map((id, index) => (
          <ChosenInput
            key={id}
            id={id}
            files={files}
            mimeTypes={limits.mimeTypes}
            onWrong={onWrong}
            onRemove={() => onChange(ids.filter((_each, place) => place !== index))}
          />
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
            {mayUpload && 'Drop files here. '}
            {`Takes ${formatCount(medium, limits)}: ${formatTypes(limits.mimeTypes)}.`}
          </Text>
        </Group>
      </DropZone>
      {issue !== undefined && <Input.Error mt={4}>{issue}</Input.Error>}
      <ChooseResult medium={medium} opened={opened} onClose={close} onChoose={(id) => add(id)} />
    </div>
  )
}

/** Takes files that are dropped or pasted. */
function DropZone({ isWrong, onFiles, children }: { isWrong: boolean; onFiles(files: Iterable<File>): void; children: ReactNode }) {
  const [isOver, setOver] = useState(false)
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    onFiles(event.dataTransfer.files)
  }
  const over = (event: DragEvent) => {
    event.preventDefault()
    setOver(true)
  }
  return (
    <div
      className={classes.zone}
      data-over={isOver || undefined}
      data-wrong={isWrong || undefined}
      onDragOver={over}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
      onPaste={(event) => onFiles(event.clipboardData.files)}
    >
      {children}
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
