import { Alert, Button, Text } from '@mantine/core'
import { Component, type ReactNode } from 'react'

/** Catches errors of a page, also a missing chunk after an update, which a reload fixes. */
export class PageBoundary extends Component<{ children: ReactNode }, { error: unknown }> {
  override state: { error: unknown } = { error: undefined }

  static getDerivedStateFromError(error: unknown) {
    return { error }
  }

  override render() {
    if (this.state.error === undefined) return this.props.children
    return (
      <Alert color="red" title="This page has failed" role="alert">
        <Text size="sm">An error occurred, or Atelier was updated. Reloading the page usually helps.</Text>
        <Button mt="sm" size="xs" variant="default" onClick={() => location.reload()}>
          Load again
        </Button>
      </Alert>
    )
  }
}
