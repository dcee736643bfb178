import { IconLock, IconTools } from '@tabler/icons-react'
import { Link, Redirect, useParams } from 'wouter'
import { useLinks } from '../app/links.ts'
import { RoleGuard } from '../app/shell/RoleGuard.tsx'
import { Notice } from '../ui/Notice.tsx'
import { Page } from '../ui/Page.tsx'
import { FileStorageSection } from './FileStorageSection.tsx'
import classes from './SettingsPage.module.css'

/** The tabs of the settings; one of them is in the address. */
export function SettingsPage() {
  const { tab = 'general' } = useParams<{ tab?: string }>()
  const links = useLinks()
  const tabs = [
    { id: 'general', title: 'General', href: links.settings() },
    { id: 'data', title: 'Data', href: links.settingsData() },
    { id: 'storage', title: 'Storage', href: links.settingsStorage() },
    { id: 'schedules', title: 'Schedules', href: links.schedules() },
    { id: 'jobs', title: 'Jobs', href: links.jobs() },
  ]
  const here = tabs.find(({ id }) => id === tab)
  if (!here) return <Redirect to={links.dashboard()} replace />
  return (
    <Page
      title="Settings"
      tabs={
        <nav className={classes.tabs} aria-label="Settings">
          {tabs.map(({ id, title, href }) => (
            <Link key={id} href={href} className={classes.tab} aria-current={id === tab ? 'page' : undefined}>
              {title}
            </Link>
          ))}
        </nav>
      }
    >
      <RoleGuard needs="settings.edit" otherwise={<Notice icon={IconLock}>Settings need the role ROLE_ADMIN.</Notice>}>
        {tab === 'data' ? (
          <DataTab />
        ) : (
          <Notice icon={IconTools}>{here.title} is not available in this version.</Notice>
        )}
      </RoleGuard>
    </Page>
  )
}

function DataTab() {
  return (
    <div className={classes.sections}>
      <FileStorageSection />
      <p className={classes.missing}>
        Object storage, Dell PowerScale, price books, agents and integrations are not available in this version.
      </p>
    </div>
  )
}
