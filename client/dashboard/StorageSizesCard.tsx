import { Button, Checkbox } from '@mantine/core'
import { IconDatabaseOff } from '@tabler/icons-react'
import { Fragment, useState } from 'react'
import { useSnapshot } from 'valtio'
import type { Dashboard, StorageSize } from '#events/dashboard.ts'
import { Card } from '#client/ui/Card.tsx'
import { Notice } from '#client/ui/feedback/Notice.tsx'
import { Skeleton } from '#client/ui/feedback/Skeleton.tsx'
import type { Loadable } from '#client/ui/feedback/loadable.ts'
import { counted } from '#client/ui/text/count.ts'
import { selectStorages, storageSelection } from './selection.state.ts'
import { kindsOf } from './storages.ts'
import { DiskRow, StorageRow } from './StorageRow.tsx'
import classes from './StorageSizesCard.module.css'

/** Per kind, fullest first. */
const shownAtFirst = 6

/** Usage of each disk, fullest first. The selection here filters the figures above. */
export function StorageSizesCard({ dashboard }: { dashboard: Loadable<Dashboard> }) {
  const storages = dashboard.data?.storages.length ?? 0
  return (
    <Card
      title="Storage sizes"
      note={storages > 0 && counted(storages, 'storage')}
      remote={dashboard}
      skeleton={<Skeleton rows={5} height={48} />}
    >
      {({ storages }) =>
        storages.length === 0 ? (
          <Notice icon={IconDatabaseOff}>Sizes appear here when the first scan is complete.</Notice>
        ) : (
          kindsOf(storages).map(({ kind, disks }) => <Kind key={kind} kind={kind} disks={disks} />)
        )
      }
    </Card>
  )
}

function Kind({ kind, disks }: { kind: string; disks: StorageSize[][] }) {
  const { leftOut } = useSnapshot(storageSelection)
  const [all, showAll] = useState(false)
  const storages = disks.flat()
  const shown = all ? disks : disks.slice(0, shownAtFirst)
  const more = storages.length - shown.flat().length
  const ids = storages.map(({ volumeId }) => volumeId)
  const chosen = ids.filter((id) => !leftOut.includes(id))
  return (
    <section className={classes.kind} aria-label={kind}>
      <KindCheckbox
        kind={kind}
        chosen={chosen.length}
        all={ids.length}
        onChoose={(isChosen) => selectStorages(ids, isChosen)}
      />
      <ul className={classes.storages}>
        {shown.map((disk) => (
          <Fragment key={disk[0]?.volumeId}>
            {disk.length > 1 && <DiskRow storages={disk} />}
            {disk.map((storage) => (
              <StorageRow
                key={storage.volumeId}
                storage={storage}
                isPart={disk.length > 1}
                isChosen={chosen.includes(storage.volumeId)}
                onChoose={(isChosen) => selectStorages([storage.volumeId], isChosen)}
              />
            ))}
          </Fragment>
        ))}
      </ul>
      {more > 0 && (
        <div className="inset-line">
          <Button variant="default" onClick={() => showAll(true)}>
            Show {counted(more, 'more storage')}
          </Button>
        </div>
      )}
    </section>
  )
}

type KindCheckboxProps = { kind: string; chosen: number; all: number; onChoose: (isChosen: boolean) => void }

/** Selects all storages of a kind. */
function KindCheckbox({ kind, chosen, all, onChoose }: KindCheckboxProps) {
  return (
    <div className={classes.head}>
      <Checkbox
        label={`All ${kind.toLowerCase()}s`}
        checked={chosen === all}
        indeterminate={chosen > 0 && chosen < all}
        onChange={({ currentTarget }) => onChoose(currentTarget.checked)}
      />
      <span aria-hidden>Used</span>
      <span aria-hidden className={`right ${classes.filesHead}`}>
        Files
      </span>
    </div>
  )
}
