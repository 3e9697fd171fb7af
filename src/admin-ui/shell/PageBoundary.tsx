import { Alert, Button, Text } from '@mantine/core'
import { Component, type ReactNode } from 'react'

/** Catches what a page throws, also when its chunk is gone because a newer release has taken its place: loading anew mends that. */
export class PageBoundary extends Component<{ children: ReactNode }, { error: unknown }> {
  override state: { error: unknown } = { error: undefined }

  static getDerivedStateFromError(error: unknown) {
    return { error }
  }

  override render() {
    if (this.state.error === undefined) return this.props.children
    return (
      <Alert color="red" title="This page has failed" role="alert">
        <Text size="sm">Something in it went wrong, or Atelier was updated meanwhile. Loading it again usually helps.</Text>
        <Button mt="sm" size="xs" variant="default" onClick={() => location.reload()}>
          Load again
        </Button>
      </Alert>
    )
  }
}
