import { Anchor, Text } from '@mantine/core'
import { Link } from 'react-router'
import { useTeam } from '../../api/viewer.ts'
import { paths } from '../../paths.ts'
import { WordBreaks } from '../../ui/display/WordBreaks.tsx'
import type { AuditEntry } from './auditQuery.ts'

type SubjectProps = { entry: Pick<AuditEntry, 'action' | 'subjectId' | 'subjectName'> }

/** The subject of an entry by name, or by identifier without one, as a link to its page. */
export function Subject({ entry }: SubjectProps) {
  const { id: team } = useTeam()
  const { subjectId, subjectName } = entry
  if (subjectId === null) return '–'
  const to = subjectPath(team, entry)
  const name =
    subjectName === null ? (
      <Text span ff="monospace" size="xs">
        {subjectId}
      </Text>
    ) : (
      <WordBreaks text={subjectName} />
    )
  return to === undefined ? (
    name
  ) : (
    <Anchor component={Link} to={to} size="sm">
      {name}
    </Anchor>
  )
}

/** Entries about the end of their subject have no link. */
const endings = /_DELETED$|_REMOVED$|^INVITATION_REVOKED$/

/** The page of a subject; undefined for one without a page. Contract: docs/contract.md#identifiers. */
function subjectPath(team: string, { action, subjectId }: Pick<AuditEntry, 'action' | 'subjectId'>): string | undefined {
  if (subjectId === null || (endings.test(action) && action !== 'RESULT_DELETED')) return undefined
  if (action === 'FAMILY_SWITCHED' || action === 'FAMILY_ACCESS_SET') return paths.family(team, subjectId)
  // Alerts are set up on the page of all webhooks.
  if (action.startsWith('ALERT_')) return paths.screen(team, 'webhooks')
  switch (subjectId.slice(0, subjectId.indexOf('_'))) {
    case 'key':
      return paths.key(team, subjectId)
    case 'hook':
      return paths.webhook(team, subjectId)
    case 'user':
      return paths.member(team, subjectId)
    case 'gen':
      return paths.generation(team, subjectId)
    case 'inv':
    case 'team':
      return paths.screen(team, 'team')
    default:
      return undefined
  }
}
