import { Menu, useMantineColorScheme, type MantineColorScheme } from '@mantine/core'
import { IconCheck, IconDeviceDesktop, IconLogout, IconMoon, IconSun, type Icon } from '@tabler/icons-react'
import { useSnapshot } from 'valtio'
import { session, signOut } from '../session.state.ts'
import { toastFailure } from '../toasts.ts'
import classes from './UserMenu.module.css'

const schemes: [MantineColorScheme, string, Icon][] = [
  ['light', 'Light', IconSun],
  ['dark', 'Dark', IconMoon],
  ['auto', 'As the system', IconDeviceDesktop],
]

/** Who is signed in, in which colours they read, and the way out. */
export function UserMenu() {
  const { user } = useSnapshot(session)
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const name = user?.name ?? ''
  return (
    <Menu position="bottom-end" width={220}>
      <Menu.Target>
        <button type="button" className={classes.user} aria-label={`${name}: account and colours`}>
          {name.slice(0, 1).toUpperCase()}
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <div className={classes.who}>
          <strong>{name}</strong>
          {user?.email && <span>{user.email}</span>}
        </div>
        <Menu.Divider />
        {schemes.map(([scheme, label, Sign]) => (
          <Menu.Item
            key={scheme}
            role="menuitemradio"
            aria-checked={scheme === colorScheme}
            leftSection={<Sign size={16} stroke={1.5} aria-hidden />}
            rightSection={scheme === colorScheme && <IconCheck size={16} stroke={1.5} aria-hidden />}
            onClick={() => setColorScheme(scheme)}
          >
            {label}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item
          leftSection={<IconLogout size={16} stroke={1.5} aria-hidden />}
          onClick={() => void signOut().catch(toastFailure)}
        >
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
