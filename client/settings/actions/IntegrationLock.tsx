import type { ReactNode } from 'react'
import type { Bundle } from '#events/contract/needs.ts'
import { configurations } from '#events/configurations.ts'
import { useRemote } from '#client/app/remote.ts'
import { BundleGuard } from '#client/app/shell/BundleGuard.tsx'
import { useLicence } from '#client/app/shell/useLicence.ts'
import { TableTitle } from '#client/parts/settings-table/SettingsTable.tsx'
import { Card } from '#client/ui/Card.tsx'
import { Panel } from '#client/ui/Panel.tsx'
import type { SettingProps } from './useSetting.ts'

type IntegrationLockProps = {
  bundle: Bundle
  title: string
  /** Headings that are shown dimmed without a license. */
  headings: string[]
  children: ReactNode
}

/** Shows the settings of an integration, or that its bundle is not licensed. Loads nothing without a license. */
export function IntegrationLock({ bundle, title, headings, children }: IntegrationLockProps) {
  const isLicensed = useLicence()
  if (isLicensed(bundle)) return children
  return (
    <BundleGuard bundle={bundle}>
      <Panel title={title}>
        {headings.map((heading) => (
          <TableTitle key={heading}>{heading}</TableTitle>
        ))}
      </Panel>
    </BundleGuard>
  )
}

type IntegrationCardProps = Omit<IntegrationLockProps, 'children'> & { children: (setting: SettingProps) => ReactNode }

/** Card of an integration that has settings. */
export const IntegrationCard = ({ children, ...lock }: IntegrationCardProps) => (
  <IntegrationLock {...lock}>
    <Settings title={lock.title}>{children}</Settings>
  </IntegrationLock>
)

function Settings({ title, children }: Pick<IntegrationCardProps, 'title' | 'children'>) {
  const remote = useRemote(configurations.list, {}, 'configurations')
  return (
    <Card title={title} remote={remote} folds="closed">
      {(entries) => children({ entries, updated: remote.retry })}
    </Card>
  )
}
