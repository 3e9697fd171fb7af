import type { ComponentProps, MouseEvent } from 'react'

type BusyButtonProps = ComponentProps<'button'> & { 'data-loading'?: boolean }

/** The element of all Mantine buttons. A loading button ignores clicks, and keeps the focus, which a disabled one would lose. */
export function BusyButton({ 'data-loading': isLoading = false, type = 'button', disabled, onClick, ...button }: BusyButtonProps) {
  // Also stops a submit by Enter in a field, which clicks the button of the form.
  const click = (event: MouseEvent<HTMLButtonElement>) => (isLoading ? event.preventDefault() : onClick?.(event))
  const state = isLoading ? { 'aria-disabled': true, 'data-loading': true } : { disabled }
  return <button {...button} type={type} {...state} onClick={click} />
}
