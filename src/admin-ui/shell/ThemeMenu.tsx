import { ActionIcon, type MantineColorScheme, Menu, useMantineColorScheme } from '@mantine/core'
import { IconCheck, IconDeviceDesktop, IconMoon, IconSun } from '@tabler/icons-react'

const schemes: { scheme: MantineColorScheme; name: string; Icon: typeof IconSun }[] = [
  { scheme: 'auto', name: 'System', Icon: IconDeviceDesktop },
  { scheme: 'light', name: 'Light', Icon: IconSun },
  { scheme: 'dark', name: 'Dark', Icon: IconMoon },
]

/** Light or dark; follows the system unless told otherwise. */
export function ThemeMenu() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const { Icon: Current } = schemes.find(({ scheme }) => scheme === colorScheme) ?? { Icon: IconSun }
  return (
    <Menu width={150}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size={36} aria-label="Theme">
          <Current size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown aria-label="Theme">
        {schemes.map(({ scheme, name, Icon }) => (
          <Menu.Item
            key={scheme}
            role="menuitemradio"
            aria-checked={scheme === colorScheme}
            leftSection={<Icon size={16} aria-hidden />}
            rightSection={scheme === colorScheme ? <IconCheck size={14} aria-hidden /> : null}
            onClick={() => setColorScheme(scheme)}
          >
            {name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
