import { Component, type ReactNode, Suspense } from 'react'
import { offerReload } from './notify.ts'

type LazyPartProps = {
  /** Shown until the part is loaded, and after it has failed. Default: nothing. */
  fallback?: ReactNode
  onFailed?(): void
  children: ReactNode
}

/** A part of the frame whose code is loaded later. If it fails, as when its file is gone after an update, the rest of the page stays. */
export class LazyPart extends Component<LazyPartProps, { hasFailed: boolean }> {
  override state = { hasFailed: false }

  static getDerivedStateFromError() {
    return { hasFailed: true }
  }

  override componentDidCatch() {
    offerReload()
    this.props.onFailed?.()
  }

  override render() {
    const { fallback = null, children } = this.props
    return this.state.hasFailed ? fallback : <Suspense fallback={fallback}>{children}</Suspense>
  }
}
