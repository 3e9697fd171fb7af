import { IconFile } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { ofOutput } from '../Preview.tsx'
import { FilePicture } from '../stills/FilePicture.tsx'
import { useRetriedLink } from '../stills/useRetriedLink.ts'
import type { InputFile, useInputFiles } from './useInputFiles.ts'

type InputThumbnailProps = { id: string; alt: string; files: ReturnType<typeof useInputFiles> }

/** The small picture of an uploaded file, or the symbol of its medium. */
export function InputThumbnail({ id, alt, files: { fileOf, renew } }: InputThumbnailProps) {
  const file = fileOf(id)
  const Icon = file?.type ? ofOutput[file.type] : IconFile
  const symbol = <Icon size={20} stroke={1.5} aria-hidden />
  if (!file) return symbol
  return (
    <FoundThumbnail file={file} alt={alt} onRenew={() => renew(id)}>
      {symbol}
    </FoundThumbnail>
  )
}

type FoundThumbnailProps = {
  file: InputFile
  alt: string
  /** Reads the file again, for new links. */
  onRenew(): Promise<InputFile | undefined>
  /** Replaces the picture of a file that has none. */
  children: ReactNode
}

function FoundThumbnail({ file, alt, onRenew, children }: FoundThumbnailProps) {
  const link = useRetriedLink(pathOf(file), async () => pathOf(await onRenew()))
  const { fileId: id, type, mimeType, sizeBytes, durationSeconds } = file
  if (type === null) return children
  return (
    <FilePicture file={{ id, type, mimeType, sizeBytes, durationSeconds }} link={link} alt={alt}>
      {children}
    </FilePicture>
  )
}

/** Only the path: files are loaded only from the page's own origin. */
function pathOf(file: InputFile | undefined): string | undefined {
  const url = file?.thumbnailUrl ?? file?.contentUrl
  return url ? new URL(url).pathname : undefined
}
