import { ActionIcon, Text } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { InputThumbnail } from '../history/InputThumbnail.tsx'
import { ofOutput } from '../history/Preview.tsx'
import { ResultPicture } from '../history/stills/ResultPicture.tsx'
import { useGeneration } from '../history/useGeneration.ts'
import type { useInputFiles } from '../history/useInputFiles.ts'
import { fileNameOf } from './fileNames.ts'
import classes from './InputField.module.css'

type ChosenInputProps = { id: string; files: ReturnType<typeof useInputFiles>; onRemove(): void }

/** A chosen input with its picture: an uploaded file, or the result of a generation. */
export function ChosenInput({ id, files, onRemove }: ChosenInputProps) {
  if (id.startsWith('gen_')) return <ChosenResult id={id} onRemove={onRemove} />
  const name = fileNameOf(id) ?? id
  return (
    <Item id={id} name={name} onRemove={onRemove}>
      <InputThumbnail id={id} alt={`Preview of ${name}`} files={files} />
    </Item>
  )
}

function ChosenResult({ id, onRemove }: { id: string; onRemove(): void }) {
  const { generation } = useGeneration(id, { followSeconds: 10 })
  const name = generation?.prompt || id
  const Icon = ofOutput[generation?.outputType ?? 'IMAGE']
  const symbol = <Icon size={20} stroke={1.5} aria-hidden />
  return (
    <Item id={id} name={name} onRemove={onRemove}>
      {generation ? (
        <ResultPicture generation={generation} alt={`Preview of ${name}`}>
          {symbol}
        </ResultPicture>
      ) : (
        symbol
      )}
    </Item>
  )
}

function Item({ id, name, onRemove, children }: { id: string; name: string; onRemove(): void; children: ReactNode }) {
  return (
    <div className={classes.item}>
      <span className={classes.picture}>{children}</span>
      <Text size="xs" truncate flex={1} title={id}>
        {name}
      </Text>
      <ActionIcon size="sm" variant="subtle" color="gray" aria-label={`Remove ${name}`} onClick={onRemove}>
        <IconX size={14} aria-hidden />
      </ActionIcon>
    </div>
  )
}
