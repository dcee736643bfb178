import { useState } from 'react'
import { type NewWallToken, type WallToken, wallTokens } from '#events/wall.ts'
import { useRemote } from '../../app/remote.ts'
import { Card } from '../../ui/Card.tsx'
import type { Sort } from '../../ui/column.ts'
import { DataTable } from '../../ui/DataTable.tsx'
import { countText } from '../../ui/text/count.ts'
import { WallAdd } from './WallAdd.tsx'
import { WallAddress } from './WallAddress.tsx'
import { wallColumns } from './wallColumns.tsx'
import { WallEnd } from './WallEnd.tsx'
import classes from './Wall.module.css'

/** The displays that show the wall without a user: making the address of one, and ending it. */
export function WallSection() {
  const [sort, setSort] = useState<Sort>({ field: 'name', direction: 'asc' })
  const query = { page: 1, size: everyWall, sort: sort.field, direction: sort.direction }
  const list = useRemote(wallTokens.list, { query }, 'wallTokens')
  const [doomed, doom] = useState<WallToken>()
  const [added, show] = useState<NewWallToken>()
  const add = (
    <WallAdd
      onAdded={(wall) => {
        show(wall)
        list.retry()
      }}
    />
  )
  return (
    <>
      <Card title="Wall displays" note={list.data && countText(list.data.total)} remote={list} folds="open">
        {({ elements }) => (
          <>
            <p className={classes.words}>
              A display on a wall shows the newest snapshot, jobs and agents, with an address that lets nobody change
              anything.
            </p>
            <DataTable
              label="Wall displays"
              columns={wallColumns(doom)}
              rows={elements}
              rowKey={({ id }) => id}
              sort={sort}
              onSort={setSort}
              empty={null}
            />
            <div className={classes.add}>{add}</div>
          </>
        )}
      </Card>
      <WallEnd doomed={doomed} onClose={() => doom(undefined)} onEnded={list.retry} />
      <WallAddress added={added} onClose={() => show(undefined)} />
    </>
  )
}

/** More than one page may hold are not made by hand. */
const everyWall = 500
