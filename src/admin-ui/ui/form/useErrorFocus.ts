import { useEffect, useRef } from 'react'

/**
 * Focuses the first field with an error after a submit, because it may be outside of the window. Returns the `ref` for the form.
 * `errors`: a new object for each submit. A field that is no input of Mantine marks itself with `data-wrong`.
 */
export function useErrorFocus<Form extends HTMLElement = HTMLFormElement>(errors: object) {
  const form = useRef<Form>(null)
  useEffect(() => {
    const field = form.current
      ?.querySelector('.mantine-InputWrapper-error, [data-wrong]')
      ?.closest('.mantine-InputWrapper-root, [data-wrong]')
    field?.querySelector<HTMLElement>('input:not([type=file]), textarea, button:not(:disabled)')?.focus()
  }, [errors])
  return form
}
