import { useEffect, useRef } from 'react'

/**
 * Focuses the first field with an error after a submit that found one: in a long form it may be out of sight. Goes to the form as its `ref`.
 * `errors`: a new object for each submit.
 */
export function useErrorFocus(errors: object) {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    const wrong = form.current?.querySelector('.mantine-InputWrapper-error')?.closest('.mantine-InputWrapper-root')
    wrong?.querySelector<HTMLElement>('input, textarea')?.focus()
  }, [errors])
  return form
}
