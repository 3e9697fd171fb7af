import { Modal, type ModalProps } from '@mantine/core'
import { FormGuard } from './FormGuard.tsx'

/** A dialog that Back closes, after a question when a field was changed. */
export function FormDialog({ asks, children, ...modal }: ModalProps & { asks?: boolean }) {
  return (
    <Modal {...modal}>
      <FormGuard opened={modal.opened} onClose={modal.onClose} asks={asks}>
        {children}
      </FormGuard>
    </Modal>
  )
}
