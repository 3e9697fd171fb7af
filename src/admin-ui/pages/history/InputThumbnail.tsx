import { IconFile } from '@tabler/icons-react'
import { ofOutput } from './Preview.tsx'
import { InputPicture } from './stills/InputPicture.tsx'
import type { useInputFiles } from './useInputFiles.ts'

type InputThumbnailProps = { id: string; alt: string; files: ReturnType<typeof useInputFiles> }

/** The small picture of an uploaded file, or the symbol of its medium. */
export function InputThumbnail({ id, alt, files: { fileOf, renew } }: InputThumbnailProps) {
  const file = fileOf(id)
  const Icon = file?.type ? ofOutput[file.type] : IconFile
  const symbol = <Icon size={20} stroke={1.5} aria-hidden />
  if (!file) return symbol
  return (
    <InputPicture file={file} alt={alt} onRenew={() => renew(id)}>
      {symbol}
    </InputPicture>
  )
}
