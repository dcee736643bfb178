import type { CSSProperties } from 'react'
import { Link } from 'wouter'
import type { StorageSize } from '#events/dashboard.ts'
import { useLinks } from '../app/links.ts'
import { Panel } from '../ui/Panel.tsx'
import { Size } from '../ui/Size.tsx'
import { counted } from '../ui/text/count.ts'
import { volumeName } from '../parts/storages/volumeWords.ts'
import classes from './SizeBarsCard.module.css'

/** Storages that have no capacity, compared by the size of their files; each leads to what lies in it. */
export function SizeBarsCard({ title, storages }: { title: string; storages: StorageSize[] }) {
  const links = useLinks()
  const largestFirst = storages.toSorted((a, b) => b.sizeOfFiles - a.sizeOfFiles)
  const most = Math.max(1, ...storages.map(({ sizeOfFiles }) => sizeOfFiles))
  return (
    <Panel title={title} note={counted(storages.length, 'storage')}>
      <ul className={classes.rows}>
        {largestFirst.map((storage) => (
          <li key={storage.volumeId}>
            <Link className={classes.row} href={links.fileManagement({ path: '/', volumeId: storage.volumeId })}>
              <span className={classes.name}>{volumeName(storage)}</span>
              <span className={classes.bar} style={{ '--share': storage.sizeOfFiles / most } as CSSProperties} />
              <span className={classes.size}>
                <Size bytes={storage.sizeOfFiles} />
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
