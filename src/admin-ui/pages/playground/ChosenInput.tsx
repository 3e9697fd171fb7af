import { ActionIcon, Text } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { type ReactNode, useEffect, useEffectEvent } from 'react'
import { InputThumbnail } from '../history/inputs/InputThumbnail.tsx'
import type { useInputFiles } from '../history/inputs/useInputFiles.ts'
import { ofOutput } from '../history/Preview.tsx'
import { ResultPicture } from '../history/stills/ResultPicture.tsx'
import { useGeneration } from '../history/useGeneration.ts'
import { fileNameOf } from './fileNames.ts'
import classes from './InputField.module.css'
import { describeWrongType } from './wrongType.ts'

type ChosenInputProps = {
  id: string
  files: ReturnType<typeof useInputFiles>
  /** What the field takes. */
  mimeTypes: readonly string[]
  /** Called while the field does not take the input. Returns what ends that. */
  onWrong(): () => void
  onRemove(): void
}

/** A chosen input with its picture: an uploaded file, or the result of a generation. Says when the field does not take its type. */
export function ChosenInput({ id, files, mimeTypes, ...item }: ChosenInputProps) {
  if (id.startsWith('gen_')) return <ChosenResult id={id} mimeTypes={mimeTypes} {...item} />
  const name = fileNameOf(id) ?? id
  return (
    <Item id={id} name={name} wrong={describeWrongType(files.fileOf(id)?.mimeType, mimeTypes)} {...item}>
      <InputThumbnail id={id} alt={`Preview of ${name}`} files={files} />
    </Item>
  )
}

function ChosenResult({ id, mimeTypes, ...item }: Omit<ChosenInputProps, 'files'>) {
  const { generation } = useGeneration(id, { followSeconds: 10 })
  const name = generation?.prompt || id
  const Icon = ofOutput[generation?.outputType ?? 'IMAGE']
  const symbol = <Icon size={20} stroke={1.5} aria-hidden />
  return (
    <Item id={id} name={name} wrong={describeWrongType(generation?.result?.mimeType, mimeTypes)} {...item}>
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

type ItemProps = Pick<ChosenInputProps, 'id' | 'onWrong' | 'onRemove'> & { name: string; wrong: string | undefined; children: ReactNode }

function Item({ id, name, wrong, onWrong, onRemove, children }: ItemProps) {
  const isWrong = wrong !== undefined
  const report = useEffectEvent(onWrong)
  useEffect(() => (isWrong ? report() : undefined), [isWrong])
  return (
    <div className={classes.item}>
      <span className={classes.picture}>{children}</span>
      <div style={{ flex: 1, minWidth: 0 }}>
        <Text size="xs" truncate title={id}>
          {name}
        </Text>
        {isWrong && (
          <Text size="xs" c="var(--mantine-color-error)" role="alert">
            {wrong}
          </Text>
        )}
      </div>
      <ActionIcon size="sm" variant="subtle" color="gray" aria-label={`Remove ${name}`} onClick={onRemove}>
        <IconX size={14} aria-hidden />
      </ActionIcon>
    </div>
  )
}
