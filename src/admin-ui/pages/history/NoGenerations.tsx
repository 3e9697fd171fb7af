import { Box, Button } from '@mantine/core'
import { IconFilterOff, IconPhotoSpark } from '@tabler/icons-react'
import { Link } from 'react-router'
import { paths } from '../../paths.ts'
import { CodeBlock } from '../../ui/display/CodeBlock.tsx'
import { Moment } from '../../ui/display/Moment.tsx'
import { EmptyState } from '../../ui/feedback/EmptyState.tsx'

/** Replaces an empty history. */
export function NoGenerations({ teamId }: { teamId: string }) {
  return (
    <>
      <EmptyState
        icon={IconPhotoSpark}
        title="No generation yet"
        action={
          <Button component={Link} to={paths.screen(teamId, 'playground')}>
            Run a model
          </Button>
        }
      >
        Generations of your programs, agents and editor appear here with their cost. Run one in the playground, or start with this command
        and an API key.
      </EmptyState>
      <Box maw={720} mx="auto">
        <CodeBlock label="First generation" code={firstCurl()} />
      </Box>
    </>
  )
}

/** Replaces a history in which nothing matches the filters. */
export function NoMatchingGenerations({ lookedBackTo, onClear }: { lookedBackTo: string | null; onClear(): void }) {
  return (
    <EmptyState
      icon={IconFilterOff}
      title="No generation matches these filters"
      action={
        <Button variant="default" onClick={onClear}>
          Clear filters
        </Button>
      }
    >
      {lookedBackTo === null ? (
        'A generation must match all of them.'
      ) : (
        <>
          No match since <Moment at={lookedBackTo} />. Older generations were not searched.
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
