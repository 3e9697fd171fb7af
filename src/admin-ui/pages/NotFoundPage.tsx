import { Anchor, Text } from '@mantine/core'
import { Link } from 'react-router'
import { paths } from '../paths.ts'
import { PageHeading } from '../ui/layout/PageHeading.tsx'

/** One page for an address that does not exist and for one that is not for this person: which of the two, nobody is told. */
export function NotFoundPage() {
  return (
    <>
      <PageHeading title="Not found" />
      <Text>
        There is no such page, or it is not yours to see.{' '}
        <Anchor component={Link} to={paths.home}>
          Go to the start
        </Anchor>
      </Text>
    </>
  )
}
