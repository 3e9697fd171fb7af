import { Box, Button, Group } from '@mantine/core'
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
        and an API key in the variable ATELIER_KEY.
      </EmptyState>
      <Box maw={720} mx="auto">
        <CodeBlock label="First generation" code={firstCurl()} wrap />
      </Box>
    </>
  )
}

type NoMatchingGenerationsProps = {
  /** How far back was searched; null after the whole history. */
  searchedBackTo: string | null
  isSearching: boolean
  onSearchOlder(): void
  onClear(): void
}

/** Replaces the list when no generation matches the filters, or none in the part that was searched. */
export function NoMatchingGenerations({ searchedBackTo, isSearching, onSearchOlder, onClear }: NoMatchingGenerationsProps) {
  const clear = (
    <Button variant="default" onClick={onClear}>
      Clear filters
    </Button>
  )
  if (searchedBackTo === null)
    return (
      <EmptyState icon={IconFilterOff} title="No generation matches these filters" action={clear}>
        A generation must match all of them.
      </EmptyState>
    )
  return (
    <EmptyState
      icon={IconFilterOff}
      title={
        <>
          No match since <Moment at={searchedBackTo} />
        </>
      }
      action={
        <Group gap="sm" justify="center">
          <Button loading={isSearching} onClick={onSearchOlder}>
            Search older generations
          </Button>
          {clear}
        </Group>
      }
    >
      Older generations were not searched.
    </EmptyState>
  )
}

function firstCurl(): string {
  return `curl -sS '${location.origin}/api/v1/generations?wait=60' \\
  -H "Authorization: Bearer $ATELIER_KEY" \\
  -H 'Content-Type: application/json' \\
  -d '{ "familyId": "sandbox-image", "prompt": "A lighthouse at dusk" }'`
}
