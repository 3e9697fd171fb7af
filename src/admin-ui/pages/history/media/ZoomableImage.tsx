import { Modal, UnstyledButton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import classes from './Media.module.css'

export type ZoomableImageProps = {
  path: string
  name: string
  width: number | null
  height: number | null
  onError(): void
}

/** An image as wide as the panel. A click shows it in full size. */
export function ZoomableImage({ path, name, width, height, onError }: ZoomableImageProps) {
  const [opened, { open, close }] = useDisclosure(false)
  const size = { width: width ?? undefined, height: height ?? undefined }
  const alt = `Result: ${name}`
  return (
    <>
      <UnstyledButton className={classes.zoomer} aria-label="Show in full size" onClick={open}>
        <img src={path} alt={alt} {...size} className={classes.fitted} onError={onError} />
      </UnstyledButton>
      <Modal opened={opened} onClose={close} title="Full size" fullScreen>
        <div className={classes.zoomed} onClick={close} role="presentation">
          <img src={path} alt={alt} {...size} className={classes.full} />
        </div>
      </Modal>
    </>
  )
}
