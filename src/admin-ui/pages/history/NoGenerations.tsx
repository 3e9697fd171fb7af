import { Box, Button } from '@mantine/core'
import { IconFilterOff, IconPhotoSpark } from '@tabler/icons-react'
import { Link } from 'react-router'
import { paths } from '../../paths.ts'
import { CodeBlock } from '../../ui/display/CodeBlock.tsx'
import { Moment } from '../../ui/display/Moment.tsx'
import { EmptyState } from '../../ui/feedback/EmptyState.tsx'

/** In place of a history in which nothing stands. */
export function NoGenerations({ teamId }: { teamId: string }) {
  return (
    <>
      <EmptyState
        icon={IconPhotoSpark}
        title="No generation yet"
        action={
          <Button component={Link} to={paths.screen(teamId, 'catalog')}>
            Choose a model
          </Button>
        }
      >
        Whatever your programs, agents and editor make will stand here, with its cost. Choose a model, or begin with these lines and an API
        key.
      </EmptyState>
      <Box maw={720} mx="auto">
        <CodeBlock label="First generation" code={firstCurl()} />
      </Box>
    </>
  )
}

/** In place of a history in which something stands, but nothing that fits. */
export function NoMatchingGenerations({ lookedBackTo, onClear }: { lookedBackTo: string | null; onClear(): void }) {
  return (
    <EmptyState
      icon={IconFilterOff}
      title="Nothing fits these filters"
      action={
        <Button variant="default" onClick={onClear}>
          Clear filters
        </Button>
      }
    >
      {lookedBackTo === null ? (
        'No generation of this team fits all of them.'
      ) : (
        <>
          None since <Moment at={lookedBackTo} /> fits all of them. There may be some before.
        </>
      )}
    </EmptyState>
  )
}

function firstCurl(): string {
  return `curl -s '${location.origin}/api/v1/generations?wait=60' \\
  -H "Authorization: Bearer $KEY" \\
  -H 'Content-Type: application/json' \\
  -d '{ "familyId": "sandbox-image", "prompt": "A lighthouse at dusk" }'`
}
