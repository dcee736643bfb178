import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useSnapshot } from 'valtio'
import { Link, useLocation } from 'wouter'
import type { Schedule } from '#events/schedules/calls.ts'
import { useQuery } from '#client/app/address.ts'
import { useFiring } from '#client/app/firing.ts'
import { useLinks } from '#client/app/links.ts'
import { session } from '#client/app/session.state.ts'
import { NoMailServer } from '#client/parts/addresses/NoMailServer.tsx'
import { Alerts } from '#client/parts/alerts/Alerts.tsx'
import { Channels } from '#client/parts/alerts/Channels.tsx'
import { JobNotifications } from '#client/parts/alerts/JobNotifications.tsx'
import { Page } from '#client/ui/Page.tsx'
import { Tabs } from '#client/ui/Tabs.tsx'
import { AlertHistory } from './AlertHistory.tsx'
import { FiringAlerts } from './FiringAlerts.tsx'

const keys = ['firing', 'rules', 'channels'] as const

/** Firing alerts, the rules of the user, and the channels that they send to. */
export function AlertsPage() {
  const [query, change] = useQuery()
  const links = useLinks()
  const [, go] = useLocation()
  const { loud } = useFiring()
  const [shown, showHistory] = useState<Pick<Schedule, 'id' | 'name'>>()
  // The form of a new alert is on the tab of the rules.
  const tab = query.has('add') ? 'rules' : (keys.find((key) => key === query.get('tab')) ?? 'firing')
  return (
    <Page
      title="Alerts"
      actions={
        tab === 'firing' && (
          <Button onClick={() => go(links.addAlert())} leftSection={<IconPlus size={16} stroke={1.5} />}>
            Add alert
          </Button>
        )
      }
    >
      {/* Shows nothing else until it is known if the page begins with a warning. */}
      <div className="stack in-order gap-16">
        <NoMailServer />
        <NoAddress />
        <Tabs
          label="Alerts"
          shown={tab}
          onShow={(key) =>
            change((query) => {
              query.delete('add')
              if (key === 'firing') query.delete('tab')
              else query.set('tab', key)
            })
          }
          tabs={[
            { key: 'firing', title: 'Firing', note: loud, content: <FiringAlerts onHistory={showHistory} /> },
            {
              key: 'rules',
              title: 'Rules',
              content: (
                <div className="stack in-order gap-16">
                  <Alerts onHistory={showHistory} />
                  <JobNotifications />
                </div>
              ),
            },
            { key: 'channels', title: 'Channels', content: <Channels /> },
          ]}
        />
      </div>
      <AlertHistory alert={shown} onClose={() => showHistory(undefined)} />
    </Page>
  )
}

function NoAddress() {
  const { user } = useSnapshot(session)
  const links = useLinks()
  if (!user || user.email !== null) return null
  return (
    <p className="muted">
      No email address, so alerts can't be emailed to you. <Link href={links.profile()}>Add one in your profile</Link>.
    </p>
  )
}
