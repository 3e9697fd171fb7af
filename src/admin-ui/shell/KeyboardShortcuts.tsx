import { Kbd, Modal, Table, Text } from '@mantine/core'
import { useOpenedAfterMount } from '../ui/hooks/useOpenedAfterMount.ts'

const shortcuts: readonly (readonly [keys: readonly string[], words: string])[] = [
  [['Ctrl', 'K'], 'Search pages, keys, webhooks, families, members and generations. On a Mac also ⌘ K.'],
  [['↑', '↓'], 'Move in a list of choices, in a menu, and in the search.'],
  [['Enter'], 'Open the row or the choice that has the focus.'],
  [['Esc'], 'Close the panel, dialog, menu or search. The focus returns to where it was.'],
  [['J'], 'In Deliveries: the next row.'],
  [['K'], 'In Deliveries: the row before.'],
  [['Ctrl', 'Enter'], 'In the playground: Run.'],
]

/** Lists the keys of all pages. */
export function KeyboardShortcuts({ opened, onClose }: { opened: boolean; onClose(): void }) {
  return (
    <Modal opened={useOpenedAfterMount(opened)} onClose={onClose} title="Keyboard shortcuts" size="lg">
      <Table layout="auto" verticalSpacing="xs">
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">Keys</Table.Th>
            <Table.Th scope="col">What they do</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {shortcuts.map(([keys, words]) => (
            <Table.Tr key={keys.join(' ')}>
              <Table.Td style={{ whiteSpace: 'nowrap' }}>
                {keys.map((key) => (
                  <Kbd key={key} mr={4}>
                    {key}
                  </Kbd>
                ))}
              </Table.Td>
              <Table.Td>
                <Text size="sm">{words}</Text>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Modal>
  )
}
