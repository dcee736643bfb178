import type { ReactNode } from 'react'
import type { Bundle } from '#events/contract/needs.ts'
import { BundleGuard } from '#client/app/shell/BundleGuard.tsx'
import { useLicence } from '#client/app/shell/useLicence.ts'
import { TableTitle } from '#client/parts/settings-table/SettingsTable.tsx'
import { Panel } from '#client/ui/Panel.tsx'

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
