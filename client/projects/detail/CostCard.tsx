import { useSnapshot } from 'valtio'
import { Link } from 'wouter'
import type { Project, ProjectShare } from '#events/projects/calls.ts'
import { useLinks } from '#client/app/links.ts'
import { RoleGuard } from '#client/app/shell/RoleGuard.tsx'
import { amountsText, costsOf } from '#client/projects/costs.ts'
import { CostIntervalChoice } from '#client/parts/cost/CostIntervalChoice.tsx'
import { costSetting } from '#client/parts/cost/costInterval.state.ts'
import { storageClassText } from '#client/parts/statistics/statistics.ts'
import { volumeName } from '#client/parts/storages/volumeWords.ts'
import { Panel } from '#client/ui/Panel.tsx'
import { perInterval, priceText } from '#client/ui/text/money.ts'
import { Facts } from '#client/ui/values/Facts.tsx'

/** Cost of a project at the prices of the date. */
export function CostCard({ project: { projectShares } }: { project: Project }) {
  const { interval } = useSnapshot(costSetting)
  const priced = projectShares.filter(({ storagePrice }) => storagePrice !== null)
  const unpriced = projectShares.filter(({ storagePrice }) => storagePrice === null)
  if (priced.length === 0)
    return (
      <Panel title="Project cost">
        <p className="muted inset">
          No storage of this project has a price book, so the cost is unknown. <SettingsLink />
        </p>
      </Panel>
    )
  return (
    <Panel title="Project cost" actions={<CostIntervalChoice />}>
      <p className="inset-8">
        <strong className="figure">{amountsText(costsOf(priced, undefined, interval))}</strong> {perInterval[interval]}
      </p>
      <Facts
        facts={priced.map((share) => ({
          name: volumeName({ name: share.volumeName, type: share.type }),
          text: amountsText(costsOf([share], undefined, interval)),
          exact: pricesText(share),
        }))}
      />
      {unpriced.length > 0 && (
        <p className="muted inset">
          Without a price book: {unpriced.map(({ volumeName: name, type }) => volumeName({ name, type })).join(', ')}.{' '}
          <SettingsLink />
        </p>
      )}
    </Panel>
  )
}

/** `Gold: $2.00 per GiB per year`, or the price of each storage class that the project uses. */
function pricesText({ storagePrice, classes: held = {} }: ProjectShare): string {
  if (!storagePrice) return ''
  const { description, price, currencySymbol, classes: priced } = storagePrice
  const own = priced.filter(({ storageClass }) => Object.hasOwn(held, storageClass))
  if (own.length === 0) return `${description}: ${priceText(price, currencySymbol)}`
  const each = own.map((one) => `${storageClassText(one.storageClass)} ${priceText(one.price, currencySymbol)}`)
  return `${description}: ${each.join(', ')}`
}

function SettingsLink() {
  const links = useLinks()
  return (
    <RoleGuard needs="settings.edit">
      <Link href={links.settings('data')}>Choose one in the settings</Link>
    </RoleGuard>
  )
}
