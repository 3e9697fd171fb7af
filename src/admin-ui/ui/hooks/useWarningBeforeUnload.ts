import { useEffect } from 'react'

/** Makes the browser ask before the page is closed or reloaded. */
export function useWarningBeforeUnload(isActive: boolean): void {
  useEffect(() => {
    if (!isActive) return undefined
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [isActive])
}
