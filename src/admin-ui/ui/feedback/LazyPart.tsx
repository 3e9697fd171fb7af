import { Component, type ReactNode, Suspense } from 'react'
import { askToReload } from './Toasts.tsx'

type LazyPartProps = {
  /** Shown until the part is loaded. Default: nothing. */
  fallback?: ReactNode
  /** Shown after it has failed. Default: `fallback`, and a toast that asks to reload. */
  failed?: ReactNode
  onFailed?(): void
  children: ReactNode
}

/** A part whose code is loaded later. If it fails, as when its file is gone after an update, the rest of the page stays. */
export class LazyPart extends Component<LazyPartProps, { hasFailed: boolean }> {
  override state = { hasFailed: false }

  static getDerivedStateFromError() {
    return { hasFailed: true }
  }

  override componentDidCatch() {
    if (!this.props.failed) askToReload()
    this.props.onFailed?.()
  }

  override render() {
    const { fallback, failed = fallback, children } = this.props
    return this.state.hasFailed ? failed : <Suspense fallback={fallback}>{children}</Suspense>
  }
}
