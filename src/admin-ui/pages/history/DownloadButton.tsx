import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'

/** Downloads a result by its link. */
export function DownloadButton({ path, size = 'xs' }: { path: string; size?: 'xs' | 'sm' }) {
  return (
    <Button component="a" href={`${path}?download=1`} variant="default" size={size} leftSection={<IconDownload size={14} aria-hidden />}>
      Download
    </Button>
  )
}
