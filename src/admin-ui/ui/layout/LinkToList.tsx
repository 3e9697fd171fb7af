import { Anchor } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import { Link, type LinkProps, useLocation } from 'react-router'
import { useTeam } from '../../api/viewer.ts'
import { paths, type TeamScreenId, teamScreens } from '../../paths.ts'

/** The state that {@link LinkFromList} adds to the history entry of the object's page. */
type LocationState = { list?: string } | null

/** Links from the page of an object to its list, with the filters of the list that the person came from. */
export function LinkToList({ screen }: { screen: TeamScreenId }) {
  const { id } = useTeam()
  const { state } = useLocation() as { state: LocationState }
  const list = paths.screen(id, screen)
  return (
    <nav aria-label="Breadcrumb">
      <Anchor
        component={Link}
        to={state?.list?.startsWith(`${list}?`) ? state.list : list}
        size="sm"
        mb="xs"
        display="inline-flex"
        style={{ alignItems: 'center', gap: 4 }}
      >
        <IconArrowLeft size={14} aria-hidden />
        {teamScreens[screen].name}
      </Anchor>
    </nav>
  )
}

/** Links from a list to the page of an object. `panel`: the filter that names the open panel, which does not open again on the way back. */
export function LinkFromList({ panel, ...link }: LinkProps & { panel?: string }) {
  const { pathname, search } = useLocation()
  const filters = new URLSearchParams(search)
  if (panel !== undefined) filters.delete(panel)
  return <Link {...link} state={{ list: `${pathname}?${filters}` }} />
}
