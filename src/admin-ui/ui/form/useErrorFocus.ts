import { useEffect, useRef } from 'react'

/**
 * Focuses the first field with an error after a submit, because it may be outside of the window. Returns the `ref` for the form.
 * `errors`: a new object for each submit.
 */
export function useErrorFocus(errors: object) {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    const field = form.current?.querySelector('.mantine-InputWrapper-error')?.closest('.mantine-InputWrapper-root')
    field?.querySelector<HTMLElement>('input, textarea')?.focus()
  }, [errors])
  return form
}
