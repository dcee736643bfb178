import { IconLock } from '@tabler/icons-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { Link } from 'wouter'
import type { Needs } from '#events/contract/needs.ts'
import { useLinks } from '../../app/links.ts'
import { type SettingsPageName, settingsPageNames, settingsPages } from '../../app/place/settingsPages.ts'
import { RoleGuard } from '../../app/shell/RoleGuard.tsx'
import { Notice } from '#client/ui/feedback/Notice.tsx'
import { Page } from '../../ui/Page.tsx'
import classes from './SettingsFrame.module.css'

type SettingsFrameProps = {
  page: SettingsPageName
  subtitle?: string
  needs?: Needs
  /** Sentence for users without access. */
  notAllowed?: string
  actions?: ReactNode
  children: ReactNode
}

/** A page of the settings: tabs of all pages, and content for users with access. */
export function SettingsFrame({
  page,
  subtitle,
  needs = 'settings.edit',
  notAllowed = 'Only administrators can open Settings.',
  actions,
  children,
}: SettingsFrameProps) {
  return (
    <Page
      title={settingsPages[page].title}
      area="Settings"
      actions={actions}
      tabs={
        <RoleGuard needs="settings.edit">
          <Tabs here={page} />
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

function Tabs({ here }: { here: SettingsPageName }) {
  const links = useLinks()
  const tabs = useRef<HTMLElement>(null)
  // On small screens, the tabs scroll.
  useEffect(() => {
    const current = tabs.current?.querySelector(`[data-page="${here}"]`)
    current?.scrollIntoView?.({ block: 'nearest', inline: 'center' })
  }, [here])
  return (
    <nav ref={tabs} className={classes.tabs} aria-label="Settings">
      {settingsPageNames.map((name) => (
        <Link
          key={name}
          href={links.settings(name)}
          className={classes.tab}
          data-page={name}
          aria-current={name === here ? 'page' : undefined}
        >
          {settingsPages[name].title}
        </Link>
      ))}
    </nav>
  )
}
