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
  const links = useLinks()
  const tabOf = (key: SettingsPageName) => ({ key, title: settingsPages[key].title, href: links.settings(key) })
  return (
    <Page
      title={settingsPages[page].title}
      area="Settings"
      actions={actions}
      tabs={
        <RoleGuard needs="settings.edit">
          <LinkTabs label="Settings" here={page} tabs={settingsPageNames.map(tabOf)} />
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

type LinkTabsProps = { label: string; here: string; tabs: { key: string; title: string; href: string }[] }

/** Tabs that are pages of their own. */
export function LinkTabs({ label, here, tabs: pages }: LinkTabsProps) {
  const tabs = useRef<HTMLElement>(null)
  // On small screens, the tabs scroll.
  useEffect(() => {
    const current = tabs.current?.querySelector(`[data-page="${here}"]`)
    current?.scrollIntoView?.({ block: 'nearest', inline: 'center' })
  }, [here])
  return (
    <nav ref={tabs} className={classes.tabs} aria-label={label}>
      {pages.map(({ key, title, href }) => (
        <Link
          key={key}
          href={href}
          className={classes.tab}
          data-page={key}
          aria-current={key === here ? 'page' : undefined}
        >
          {title}
        </Link>
      ))}
    </nav>
  )
}
