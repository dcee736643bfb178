import { IconLock } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { Needs } from '#events/contract/needs.ts'
import { useLinks } from '../../app/links.ts'
import { RoleGuard } from '../../app/shell/RoleGuard.tsx'
import { Notice } from '#client/ui/feedback/Notice.tsx'
import { Page } from '../../ui/Page.tsx'
import classes from './SettingsFrame.module.css'

const settingsTabs = {
  general: 'General',
  data: 'Data',
  storage: 'Storage',
  schedules: 'Schedules',
  jobs: 'Jobs',
} as const
type SettingsTab = keyof typeof settingsTabs

type SettingsFrameProps = {
  tab: SettingsTab
  title?: string
  subtitle?: string
  needs?: Needs
  /** Sentence for users without access. */
  notAllowed?: string
  actions?: ReactNode
  children: ReactNode
}

/** A settings screen: tabs of all settings, and content for users with access. */
export function SettingsFrame({
  tab,
  title = 'Settings',
  subtitle,
  needs = 'settings.edit',
  notAllowed = 'Only administrators can open Settings.',
  actions,
  children,
}: SettingsFrameProps) {
  return (
    <Page
      title={title}
      actions={actions}
      tabs={
        <RoleGuard needs="settings.edit">
          <Tabs here={tab} />
        </RoleGuard>
      }
    >
      <RoleGuard needs={needs} otherwise={<Notice icon={IconLock}>{notAllowed}</Notice>}>
        {subtitle && <p className={classes.subtitle}>{subtitle}</p>}
        {children}
      </RoleGuard>
    </Page>
  )
}

function Tabs({ here }: { here: SettingsTab }) {
  const links = useLinks()
  const addresses: Record<SettingsTab, string> = {
    general: links.settings(),
    data: links.settingsData(),
    storage: links.settingsStorage(),
    schedules: links.schedules(),
    jobs: links.jobs(),
  }
  return (
    <nav className={classes.tabs} aria-label="Settings">
      {(Object.keys(settingsTabs) as SettingsTab[]).map((tab) => (
        <Link key={tab} href={addresses[tab]} className={classes.tab} aria-current={tab === here ? 'page' : undefined}>
          {settingsTabs[tab]}
        </Link>
      ))}
    </nav>
  )
}
