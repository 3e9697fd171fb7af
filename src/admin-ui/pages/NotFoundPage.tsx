import { Anchor, Text } from '@mantine/core'
import { Link } from 'react-router'
import { paths } from '../paths.ts'
import { PageHeading } from '../ui/layout/PageHeading.tsx'

/** Shown for unknown addresses and for pages without permission alike, so that existence is not revealed. */
export function NotFoundPage() {
  return (
    <>
      <PageHeading title="Not found" hasHelp={false} />
      <Text>
        This page does not exist, or you do not have access to it.{' '}
        <Anchor component={Link} to={paths.home}>
          Go to the overview
        </Anchor>
      </Text>
    </>
  )
}
