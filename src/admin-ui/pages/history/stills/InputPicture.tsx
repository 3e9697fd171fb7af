import type { ReactNode } from 'react'
import type { InputFile } from '../useInputFiles.ts'
import { FilePicture } from './FilePicture.tsx'
import { useRetriedLink } from './useRetriedLink.ts'

type InputPictureProps = {
  file: InputFile
  alt: string
  /** Reads the file again, for new links. */
  onRenew(): Promise<InputFile | undefined>
  children: ReactNode
}

/** The small picture of an uploaded file, or `children` where there is none. */
export function InputPicture({ file, alt, onRenew, children }: InputPictureProps) {
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
