import { groupOfType, sourceOfType, sources } from '#events/sources/kinds.ts'
import type { CSSProperties } from 'react'
import { Link } from 'wouter'
import type { StorageSize } from '#events/dashboard.ts'
import { useLinks } from '#client/app/links.ts'
import { BundleGuard } from '#client/app/shell/BundleGuard.tsx'
import { volumeName } from '#client/parts/storages/volumeWords.ts'
import { Panel } from '#client/ui/Panel.tsx'
import { counted } from '#client/ui/text/count.ts'
import { Size } from '#client/ui/values/Size.tsx'
import classes from './SizeBarsCard.module.css'
import page from './DashboardPage.module.css'

/** Storages without a capacity, compared by file size. Each links to its files. */
function SizeBarsCard({ title, storages }: { title: string; storages: StorageSize[] }) {
  const links = useLinks()
  const largestFirst = storages.toSorted((a, b) => b.sizeOfFiles - a.sizeOfFiles)
  const max = Math.max(1, ...storages.map(({ sizeOfFiles }) => sizeOfFiles))
  return (
    <Panel title={title} note={counted(storages.length, 'storage')}>
      <ul className={classes.rows}>
        {largestFirst.map((storage) => (
          <li key={storage.volumeId}>
            <Link className={classes.row} href={links.fileManagement({ path: '/', volumeId: storage.volumeId })}>
              <span className="truncate strong">{volumeName(storage)}</span>
              <span className={classes.bar} style={{ '--share': storage.sizeOfFiles / max } as CSSProperties} />
              <span className="right">
                <Size bytes={storage.sizeOfFiles} />
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

/** Buckets and archives, if any. Archives are locked without their bundle. */
export function OtherStorages({ storages }: { storages: StorageSize[] }) {
  const objects = storages.filter(({ type }) => groupOfType(type) === 'object')
  const indexes = storages.filter(({ type }) => sourceOfType(type)?.kind === 'archiware')
  return (
    <>
      {objects.length > 0 && (
        <div className={page.half}>
          <SizeBarsCard title="Object Storage Sizes" storages={objects} />
        </div>
      )}
      {indexes.length > 0 && (
        <div className={page.half}>
          <BundleGuard bundle={sources.archiware.bundle}>
            <SizeBarsCard title="Archiware P5 Index Sizes" storages={indexes} />
          </BundleGuard>
        </div>
      )}
    </>
  )
}
