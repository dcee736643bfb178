import { useSnapshot } from 'valtio'
import { Link } from 'wouter'
import type { Project } from '#events/projects/calls.ts'
import { useLinks } from '#client/app/links.ts'
import { RoleGuard } from '#client/app/shell/RoleGuard.tsx'
import { amountsText, costsOf } from '#client/projects/costs.ts'
import { CostIntervalChoice } from '#client/parts/cost/CostIntervalChoice.tsx'
import { costSetting } from '#client/parts/cost/costInterval.state.ts'
import { volumeName } from '#client/parts/storages/volumeWords.ts'
import { Panel } from '#client/ui/Panel.tsx'
import { perInterval, priceText } from '#client/ui/text/money.ts'
import { Facts } from '#client/ui/values/Facts.tsx'
import classes from './Project.module.css'

/** What a project costs, at the prices that applied on the date. */
export function CostCard({ project: { projectShares } }: { project: Project }) {
  const { interval } = useSnapshot(costSetting)
  const priced = projectShares.filter(({ storagePrice }) => storagePrice !== null)
  const unpriced = projectShares.filter(({ storagePrice }) => storagePrice === null)
  const bytesOf = (share: (typeof projectShares)[number]) => share.sizeOfFiles
  if (priced.length === 0)
    return (
      <Panel title="Project Cost">
        <p className={classes.sentence}>
          No storage of this project has a price book, so what it costs is not known. <SettingsLink />
        </p>
      </Panel>
    )
  return (
    <Panel title="Project Cost" actions={<CostIntervalChoice />}>
      <p className={classes.figure}>
        <strong>{amountsText(costsOf(priced, bytesOf, interval))}</strong> {perInterval[interval]}
      </p>
      <Facts
        facts={priced.map((share) => ({
          name: volumeName({ name: share.volumeName, type: share.type }),
          text: amountsText(costsOf([share], bytesOf, interval)),
          exact: share.storagePrice
            ? `${share.storagePrice.description}: ${priceText(share.storagePrice.price, share.storagePrice.currencySymbol)}`
            : '',
        }))}
      />
      {unpriced.length > 0 && (
        <p className={classes.sentence}>
          Without a price book: {unpriced.map(({ volumeName: name, type }) => volumeName({ name, type })).join(', ')}.{' '}
          <SettingsLink />
        </p>
      )}
    </Panel>
  )
}

function SettingsLink() {
  const links = useLinks()
  return (
    <RoleGuard needs="settings.edit">
      <Link href={links.settingsData()}>Choose one in the settings</Link>
    </RoleGuard>
  )
}
