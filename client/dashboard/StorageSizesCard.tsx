import { Button } from '@mantine/core'
import { IconDatabaseOff } from '@tabler/icons-react'
import { useState } from 'react'
import { useSnapshot } from 'valtio'
import type { Dashboard, StorageSize } from '#events/dashboard.ts'
import { Card } from '../ui/Card.tsx'
import type { Loadable } from '../ui/loadable.ts'
import { Notice } from '../ui/Notice.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { counted } from '../ui/text/count.ts'
import { chooseStorages, dashboardState } from './dashboard.state.ts'
import { KindCheckbox } from './KindCheckbox.tsx'
import { kindsOf } from './storageKinds.ts'
import { StorageRow } from './StorageRow.tsx'
import classes from './StorageSizesCard.module.css'

/** Of each kind; the fullest are among them. */
const shownAtFirst = 6

/** How full each storage is, the fullest first; what is chosen here counts in the figures above. */
export function StorageSizesCard({ dashboard }: { dashboard: Loadable<Dashboard> }) {
  const storages = dashboard.data?.storages.length ?? 0
  return (
    <Card
      title="File Storage Sizes"
      note={storages > 0 && counted(storages, 'storage')}
      remote={dashboard}
      skeleton={<Skeleton rows={5} height={48} />}
    >
      {({ storages }) =>
        storages.length === 0 ? (
          <Notice icon={IconDatabaseOff}>Sizes appear here when the first scan is complete.</Notice>
        ) : (
          kindsOf(storages).map(({ kind, storages }) => <Kind key={kind} kind={kind} storages={storages} />)
        )
      }
    </Card>
  )
}

function Kind({ kind, storages }: { kind: string; storages: StorageSize[] }) {
  const { leftOut } = useSnapshot(dashboardState)
  const [all, showAll] = useState(false)
  const shown = all ? storages : storages.slice(0, shownAtFirst)
  const ids = storages.map(({ volumeId }) => volumeId)
  const chosen = ids.filter((id) => !leftOut.includes(id))
  return (
    <section className={classes.kind} aria-label={kind}>
      <KindCheckbox
        kind={kind}
        chosen={chosen.length}
        all={ids.length}
        onChoose={(isChosen) => chooseStorages(ids, isChosen)}
      />
      <ul className={classes.storages}>
        {shown.map((storage) => (
          <StorageRow
            key={storage.volumeId}
            storage={storage}
            isChosen={chosen.includes(storage.volumeId)}
            onChoose={(isChosen) => chooseStorages([storage.volumeId], isChosen)}
          />
        ))}
      </ul>
      {shown.length < storages.length && (
        <div className={classes.more}>
          <Button variant="default" onClick={() => showAll(true)}>
            Show {counted(storages.length - shown.length, 'more storage')}
          </Button>
        </div>
      )}
    </section>
  )
}
