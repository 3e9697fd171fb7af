import { Modal, type ModalProps } from '@mantine/core'
import { useRef } from 'react'
import { FormGuard, type FormGuardHandle } from './FormGuard.tsx'

/** A dialog that closes after a question when a field was changed. `onClose` closes it without one, as its button `Cancel` does. */
export function FormDialog({ asks, children, onClose, ...modal }: ModalProps & { asks?: boolean }) {
  const guard = useRef<FormGuardHandle>(null)
  return (
    <Modal {...modal} onClose={() => guard.current?.leave()}>
      <FormGuard ref={guard} opened={modal.opened} onClose={onClose} asks={asks}>
        {children}
      </FormGuard>
    </Modal>
  )
}
