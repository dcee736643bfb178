import { useSnapshot } from 'valtio'
import type { DetailedVolume } from '#events/storages.ts'
import { Card } from '../ui/Card.tsx'
import type { Loadable } from '../ui/loadable.ts'
import { sizeSetting } from '../ui/sizeBase.state.ts'
import { detailFacts } from './detailFacts.ts'
import { Facts } from './Facts.tsx'

/** What a snapshot knows of a storage as a whole. */
export function DetailsCard({ volume, remote }: { volume: DetailedVolume; remote: Loadable<unknown> }) {
  const { base } = useSnapshot(sizeSetting)
  return (
    <Card title="Storage Details" remote={{ ...remote, data: volume }}>
      {(volume) => <Facts facts={detailFacts(volume, base)} />}
    </Card>
  )
}
