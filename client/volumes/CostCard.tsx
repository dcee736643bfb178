import { Link } from 'wouter'
import { useSnapshot } from 'valtio'
import type { DetailedVolume } from '#events/storages.ts'
import { useLinks } from '../app/links.ts'
import { session, userMay } from '../app/session.state.ts'
import { CostIntervalChoice } from '../parts/cost/CostIntervalChoice.tsx'
import { costSetting } from '../parts/cost/costInterval.state.ts'
import { Panel } from '../ui/Panel.tsx'
import { perInterval, priceText } from '../ui/text/money.ts'
import { costsOf } from './costs.ts'
import { Facts } from './Facts.tsx'
import classes from './Volume.module.css'

/** What a storage costs, at the price that applied on the date. */
export function CostCard({ volume }: { volume: DetailedVolume }) {
  const { interval } = useSnapshot(costSetting)
  const { storagePrice } = volume
  if (storagePrice === null)
    return (
      <Panel title="Storage Cost">
        <NoPrice />
      </Panel>
    )
  const [first, ...others] = costsOf(volume, interval)
  const { price, currencySymbol, description } = storagePrice
  return (
    <Panel title="Storage Cost" actions={<CostIntervalChoice />}>
      <p className={classes.cost}>
        <strong>{first?.text}</strong> {perInterval[interval]} for its files
        <span>
          {description}, {priceText(price, currencySymbol)}
        </span>
      </p>
      <Facts facts={others} />
    </Panel>
  )
}

function NoPrice() {
  const links = useLinks()
  const { user } = useSnapshot(session)
  const mayChoose = userMay(user as typeof session.user, 'settings.edit')
  return (
    <p className={classes.sentence}>
      This storage has no price book, so what it costs is not known.{' '}
      {mayChoose && <Link href={links.settingsData()}>Choose one in the settings</Link>}
    </p>
  )
}
