import { ActionIcon, Menu } from '@mantine/core'
import { IconDots, type TablerIcon } from '@tabler/icons-react'
import { useRef } from 'react'

export type RowAction = {
  label: string
  icon?: TablerIcon
  onClick(): void
  /** A destructive action: red, below a divider. */
  destructive?: boolean
  disabled?: boolean
}

/** The actions for a row. Named `Actions for {name}`. Contract: docs/contract.md#pages. */
export function RowMenu({ name, actions }: { name: string; actions: readonly RowAction[] }) {
  const button = useRef<HTMLButtonElement>(null)
  // A dialog returns the focus to where it was, so focus the button: the menu no longer exists then.
  const act = (onClick: RowAction['onClick']) => {
    button.current?.focus({ preventScroll: true })
    onClick()
  }
  return (
    <Menu width={190}>
      <Menu.Target>
        <ActionIcon ref={button} variant="subtle" color="gray" aria-label={`Actions for ${name}`}>
          <IconDots size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {actions.map(({ label, icon: Icon, onClick, destructive = false, disabled = false }, index) => (
          <div key={label} role="none">
            {destructive && index > 0 && <Menu.Divider />}
            <Menu.Item
              {...(destructive ? { c: 'var(--mantine-color-error)' } : {})}
              disabled={disabled}
              leftSection={Icon ? <Icon size={16} stroke={1.6} aria-hidden /> : undefined}
              onClick={() => act(onClick)}
            >
              {label}
            </Menu.Item>
          </div>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
