import { ActionIcon } from '@mantine/core'
import { IconApps } from '@tabler/icons-react'
import { orchestrationUrl } from '#events/session.ts'
import { useRemote } from '../remote.ts'
import { OpensLater } from './OpensLater.tsx'

const load = () => import('./AppSwitcherOpened.tsx').then((m) => m.AppSwitcherOpened)

/** The way between this product, Intelligence, and Orchestration beside it; nothing where there is none. */
export function AppSwitcher() {
  const { data: address } = useRemote(orchestrationUrl, {})
  if (!address) return null
  return (
    <OpensLater load={load} opens="menu">
      <ActionIcon aria-label="Applications">
        <IconApps size={18} stroke={1.5} />
      </ActionIcon>
    </OpensLater>
  )
}
