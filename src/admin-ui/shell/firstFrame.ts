import { descriptions, type TeamScreenId, teamScreens } from '../paths.ts'

/**
 * Draws the bars of a team's page and its heading, before the code of the page has arrived. React replaces them. Hidden from assistive
 * technology, which would read them twice. The styles are in ui/firstFrame.css. Contract: docs/contract.md#pages.
 */
export function drawFirstFrame(id: TeamScreenId | undefined): void {
  const frame = boxOf(
    'frame',
    boxOf('bar'),
    boxOf('page', ...(id ? [boxOf('title', teamScreens[id].name), boxOf('text', descriptions[id])] : [])),
  )
  frame.ariaHidden = 'true'
  document.getElementById('root')?.replaceChildren(frame)
}

function boxOf(name: string, ...content: (Node | string)[]): HTMLElement {
  const box = document.createElement('div')
  box.className = `first-${name}`
  box.append(...content)
  return box
}
