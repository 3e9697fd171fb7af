import { useEffect, useRef, useState } from 'react'
import { useClient } from 'urql'
import { formatTypes } from '../catalog/familyLabels.ts'
import { rememberFileName } from './fileNames.ts'
import { uploadInput } from './uploadInput.ts'

/** A file on its way, or why it did not arrive. */
export type PendingUpload = { key: number; name: string; share: number; refused: string | undefined; cancel(): void }

type UploadsOptions = {
  teamId: string
  /** The types that the field takes. */
  mimeTypes: readonly string[]
  onUploaded(fileId: string): void
}

/** The uploads of one input field. They end with the field. */
export function useUploads({ teamId, mimeTypes, onUploaded }: UploadsOptions) {
  const client = useClient()
  const [pending, setPending] = useState<PendingUpload[]>([])
  const lastKey = useRef(0)
  const running = useRef(new Set<AbortController>())
  useEffect(() => {
    const all = running.current
    return () => {
      for (const each of all) each.abort()
    }
  }, [])

  const upload = async (file: File) => {
    lastKey.current += 1
    const key = lastKey.current
    const controller = new AbortController()
    const remove = () => setPending((now) => now.filter((each) => each.key !== key))
    const update = (changes: Partial<PendingUpload>) =>
      setPending((now) => now.map((each) => (each.key === key ? { ...each, ...changes } : each)))
    const cancel = () => {
      controller.abort()
      remove()
    }
    running.current.add(controller)
    setPending((now) => [...now, { key, name: file.name, share: 0, refused: undefined, cancel }])
    const uploaded = await uploadInput(client, {
      teamId,
      file,
      mimeTypes,
      signal: controller.signal,
      onProgress: (share) => update({ share }),
    })
    running.current.delete(controller)
    if (controller.signal.aborted) return
    if ('code' in uploaded)
      return update({ refused: uploaded.code === 'unsupported_file_format' ? `Takes ${formatTypes(mimeTypes)}.` : uploaded.message })
    rememberFileName(uploaded.fileId, file.name)
    remove()
    onUploaded(uploaded.fileId)
  }
  return { pending, upload: (files: Iterable<File>) => void Promise.all(Array.from(files, upload)) }
}
