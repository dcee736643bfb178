import { Link } from 'wouter'
import { useSnapshot } from 'valtio'
import type { DetailedVolume } from '#events/storages.ts'
import { useLinks } from '#client/app/links.ts'
import { session, userMay } from '#client/app/session.state.ts'
import { CostIntervalChoice } from '#client/parts/cost/CostIntervalChoice.tsx'
import { costSetting } from '#client/parts/cost/costInterval.state.ts'
import { storagePriceText } from '#client/parts/cost/costWords.ts'
import { Panel } from '#client/ui/Panel.tsx'
import { Facts } from '#client/ui/values/Facts.tsx'
import { perInterval } from '#client/ui/text/money.ts'
import { costsOf } from './costs.ts'

/** Cost of a storage at the price of the date. */
export function CostCard({ volume }: { volume: DetailedVolume }) {
  const { interval } = useSnapshot(costSetting)
  const { storagePrice } = volume
  // A price of zero is what storages without prices have.
  if (storagePrice === null || (storagePrice.price === 0 && storagePrice.classes.length === 0))
    return (
      <Panel title="Storage cost">
        <NoPrice id={volume.id} />
      </Panel>
    )
  const [first, ...others] = costsOf(volume, interval)
  return (
    <Panel title="Storage cost" actions={<CostIntervalChoice />}>
      <p className="flex wrap baseline inset-8 gap-4-8">
        <strong className="figure">{first?.text}</strong> {perInterval[interval]} for its files
        <span className="push muted small">
          {storagePrice.description}, {storagePriceText(storagePrice)}
        </span>
      </p>
      <Facts facts={others} />
    </Panel>
  )
}

function NoPrice({ id }: { id: number }) {
  const links = useLinks()
  const { user } = useSnapshot(session)
  const mayChoose = userMay(user as typeof session.user, 'settings.edit')
  return (
    <p className="muted inset">
      No price set, so its cost is unknown.{' '}
      {mayChoose && <Link href={links.storages({ edit: id, at: 'priceBook' })}>Set a price</Link>}
    </p>
  )
}
