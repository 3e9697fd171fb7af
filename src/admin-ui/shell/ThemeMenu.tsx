import { ActionIcon, isMantineColorScheme, type MantineColorScheme, Menu, useMantineColorScheme } from '@mantine/core'
import { IconDeviceDesktop, IconMoon, IconSun } from '@tabler/icons-react'

const schemes: Record<MantineColorScheme, { name: string; Icon: typeof IconSun }> = {
  auto: { name: 'System', Icon: IconDeviceDesktop },
  light: { name: 'Light', Icon: IconSun },
  dark: { name: 'Dark', Icon: IconMoon },
}

/** Light or dark; default: the system's scheme. */
export function ThemeMenu() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const { Icon: Current } = schemes[colorScheme]
  return (
    <Menu width={170}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size={36} aria-label="Theme">
          <Current size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.RadioGroup value={colorScheme} onChange={(chosen) => isMantineColorScheme(chosen) && setColorScheme(chosen)}>
          {Object.entries(schemes).map(([scheme, { name, Icon }]) => (
            <Menu.RadioItem key={scheme} value={scheme} rightSection={<Icon size={16} stroke={1.6} aria-hidden />} closeMenuOnClick>
              {name}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  )
}
