import { Button } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'wouter'
import { type FoundEntry, reportRuns } from '#events/reports/runs.ts'
import type { Call } from '#events/contract/endpoint.ts'
import { call } from '#client/app/call.ts'
import { useLinks } from '#client/app/links.ts'
import { useRemote } from '#client/app/remote.ts'
import { useBusy } from '#client/app/useBusy.ts'
import { EntryPath } from '#client/parts/entry-text/EntryPath.tsx'
import { RemoteContent } from '#client/ui/feedback/RemoteContent.tsx'
import { nameIn, parentOf } from '#client/ui/text/path.ts'
import { Size } from '#client/ui/values/Size.tsx'
import classes from './Runs.module.css'

const rowsOfPage = 20

type ComparedEntriesProps = { id: number; query: Call<typeof reportRuns.comparedEntries>['query'] }

/** Entries with one kind of difference, largest first, with a button for more. */
export function ComparedEntries({ id, query }: ComparedEntriesProps) {
  const first = useRemote(reportRuns.comparedEntries, { params: { id }, query: { ...query, size: rowsOfPage } })
  const [further, setFurther] = useState<{ elements: FoundEntry[]; cursor: string | null }>()
  const cursor = further ? further.cursor : (first.data?.cursor ?? null)
  const [busy, loadMore] = useBusy(async (cursor: string) => {
    const page = { ...query, size: rowsOfPage, cursor }
    const next = await call(reportRuns.comparedEntries, { params: { id }, query: page })
    setFurther({ elements: [...(further?.elements ?? []), ...next.elements], cursor: next.cursor })
  })
  return (
    <RemoteContent remote={first}>
      {({ elements }) => (
        <>
          {elements.length === 0 ? (
            <p className="muted inset">Nothing.</p>
          ) : (
            <ul className="sides-8 bottom-8" aria-label="Differences, largest first">
              {[...elements, ...(further?.elements ?? [])].map((entry) => (
                <Row key={`${entry.volumeId}:${entry.path}`} entry={entry} />
              ))}
            </ul>
          )}
          {cursor !== null && (
            <Button variant="default" size="compact-sm" loading={busy} onClick={() => loadMore(cursor)}>
              Load more
            </Button>
          )}
        </>
      )}
    </RemoteContent>
  )
}

/** Links to the current or former folder. */
function Row({ entry: { volumeId, volumeName, path, fullPath, isDirectory, size } }: { entry: FoundEntry }) {
  const links = useLinks()
  const place = isDirectory ? { path } : { path: parentOf(path), fileName: nameIn(path) }
  return (
    <li>
      <Link className={classes.entry} href={links.fileManagement({ volumeId, ...place })}>
        <span className="truncate muted">{volumeName}</span>
        <EntryPath path={fullPath} />
        <Size bytes={size} />
      </Link>
    </li>
  )
}
