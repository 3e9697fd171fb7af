import { Button, Group, Loader, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import type { Failure } from '../../api/failure.ts'
import { showFailed, showSaved } from '../feedback/notify.ts'
import { downloadCsv } from './downloadCsv.ts'
import { type ExportPage, exportRowsMax, readAllRows } from './readAllRows.ts'

const figures = new Intl.NumberFormat()

export type ExportButtonProps = {
  /** The prefix of the file name: `deliveries`. */
  fileName: string
  /** The name of a row, singular and plural. */
  rowNames: [one: string, many: string]
  header: readonly string[]
  readPage(after: string | null): Promise<ExportPage | Failure>
}

/** Exports all filtered rows as a file, in the background, with progress and cancel. */
export function ExportButton({ fileName, rowNames, header, readPage }: ExportButtonProps) {
  const running = useRef<AbortController>(null)
  const [count, setCount] = useState<number>()
  useEffect(() => () => running.current?.abort(), [])

  const start = async () => {
    const { signal } = (running.current = new AbortController())
    setCount(0)
    const read = await readAllRows(readPage, { signal, onProgress: setCount })
    if (read === undefined) return
    setCount(undefined)
    if ('code' in read) return showFailed('The log could not be exported', read)
    downloadCsv(`${fileName}-${new Date().toISOString().slice(0, 10)}.csv`, header, read.rows)
    const rows = `${figures.format(read.rows.length)} ${rowNames[read.rows.length === 1 ? 0 : 1]}`
    showSaved(read.isCut ? `The newest ${rows} were exported. For older ones narrow the filters.` : `${rows} exported.`)
  }
  if (count === undefined)
    return (
      <Button
        variant="default"
        leftSection={<IconDownload size={16} aria-hidden />}
        title={`All rows of these filters, ${figures.format(exportRowsMax)} at most`}
        onClick={() => void start()}
      >
        Export CSV
      </Button>
    )
  const cancel = () => {
    running.current?.abort()
    setCount(undefined)
  }
  return (
    <Group gap="xs">
      <Loader size="xs" aria-hidden />
      <Text size="sm" role="status" className="tabular">
        {figures.format(count)} rows…
      </Text>
      <Button variant="default" size="compact-sm" onClick={cancel}>
        Cancel export
      </Button>
    </Group>
  )
}
