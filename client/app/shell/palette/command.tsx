import type { SpotlightActionGroupData } from '@mantine/spotlight'
import type { Icon } from '@tabler/icons-react'
import { navigate } from '#client/app/place/navigate.ts'

/** An entry of the palette. `keys` is its shortcut; `keywords` finds it too. */
export type Command = {
  label: string
  description?: string
  keywords?: string
  icon: Icon
  keys?: string
  follow: () => void
}

/** A link as a command. */
export const asCommand = <Place extends { href: string }>({ href, ...screen }: Place) => ({
  ...screen,
  follow: () => navigate(href),
})

export const group = (name: string, commands: Command[]): SpotlightActionGroupData => ({
  group: name,
  actions: commands.map(({ label, description, keywords, icon: Sign, keys, follow }, index) => ({
    id: `${name} ${index} ${label}`,
    label,
    ...(description !== undefined && { description }),
    ...(keywords !== undefined && { keywords }),
    leftSection: <Sign size={18} stroke={1.5} aria-hidden />,
    rightSection: keys && <kbd>{keys}</kbd>,
    onClick: follow,
  })),
})
