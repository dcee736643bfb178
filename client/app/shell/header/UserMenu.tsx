import { Menu, useMantineColorScheme } from '@mantine/core'
import { IconHelpCircle, IconLogout } from '@tabler/icons-react'
import type { ComponentProps } from 'react'
import { useSnapshot } from 'valtio'
import { Link, useLocation } from 'wouter'
import { useLinks } from '#client/app/links.ts'
import { session, signOut } from '#client/app/session.state.ts'
import type { PopoverContent } from '#client/app/shell/LazyPopover.tsx'
import { schemes, sizeBases } from '#client/app/shell/displayChoices.ts'
import { toastFailure } from '#client/app/toasts/toasts.ts'
import { chooseSizeBase, sizeSetting } from '#client/ui/values/sizeBase.state.ts'
import classes from './UserMenu.module.css'

/** User name, display options and sign out. */
export function UserMenu({ button }: ComponentProps<PopoverContent>) {
  const { user } = useSnapshot(session)
  const { base } = useSnapshot(sizeSetting)
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const links = useLinks()
  const [screen] = useLocation()
  return (
    <Menu position="bottom-end" width={220}>
      <Menu.Target>{button}</Menu.Target>
      <Menu.Dropdown>
        <Menu.Label className={classes.who}>
          <strong className="bold">{user?.name}</strong>
          {user?.email && <span className="muted small">{user.email}</span>}
        </Menu.Label>
        <Menu.Divider />
        <Choice label="Colors" of={schemes} chosen={colorScheme} choose={setColorScheme} />
        <Menu.Divider />
        <Choice label="Sizes" of={sizeBases} chosen={base} choose={chooseSizeBase} />
        <Menu.Divider />
        <Menu.Item
          component={Link}
          href={links.help({ screen })}
          leftSection={<IconHelpCircle size={16} stroke={1.5} aria-hidden />}
        >
          Help
        </Menu.Item>
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

type ChoiceProps<T extends string> = {
  label: string
  of: { value: T; label: string }[]
  chosen: T
  choose: (one: T) => void
}

function Choice<T extends string>({ label, of, chosen, choose }: ChoiceProps<T>) {
  return (
    <>
      <Menu.Label>{label}</Menu.Label>
      <Menu.RadioGroup value={chosen} onChange={(value) => choose(value as T)}>
        {of.map(({ value, label }) => (
          <Menu.RadioItem key={value} value={value}>
            {label}
          </Menu.RadioItem>
        ))}
      </Menu.RadioGroup>
    </>
  )
}
