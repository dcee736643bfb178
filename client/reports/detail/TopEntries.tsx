import { Button } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useEffect } from 'react'
import { Link } from 'wouter'
import type { Entry } from '#events/entries.ts'
import { foundFailures } from '#events/reports/calls.ts'
import type { Report } from '#events/reports/templates.ts'
import { searchFiles, searchFolders } from '#events/search/calls.ts'
import { useRemote } from '#client/app/remote.ts'
import { toast } from '#client/app/toasts/toasts.ts'
import { openEntryDetails } from '#client/parts/entry-details/entryDetails.state.ts'
import { EntryName } from '#client/parts/entry-text/EntryName.tsx'
import { EntryPath } from '#client/parts/entry-text/EntryPath.tsx'
import { Card } from '#client/ui/Card.tsx'
import { Skeleton } from '#client/ui/feedback/Skeleton.tsx'
import { parentOf } from '#client/ui/text/path.ts'
import { Size } from '#client/ui/values/Size.tsx'
import { type FoundKind, useFoundSearch } from './useFoundSearch.ts'
import classes from './Report.module.css'

const texts = {
  files: { title: 'Top 10 files', call: searchFiles, none: 'No files found' },
  folders: { title: 'Top 10 folders', call: searchFolders, none: 'No folders found' },
} as const

const largest = { size: 10, sort: 'size', direction: 'desc' } as const

type TopEntriesProps = { report: Report; reportTag: string; kind: FoundKind }

/** Largest results of the last run. */
export function TopEntries({ report, reportTag, kind }: TopEntriesProps) {
  const { title, call, none } = texts[kind]
  const query = { report: reportTag, indexingDate: report.indexingDate ?? undefined, ...largest }
  const found = useRemote(call, { query }, 'reports', 'tags')
  useFoundFailure(found.error, foundFailures[kind])
  const search = useFoundSearch(report)
  return (
    <Card
      title={title}
      note="found by size"
      remote={found}
      skeleton={<Skeleton rows={10} />}
      actions={
        search && (
          <Button
            component={Link}
            href={search(kind)}
            variant="default"
            size="compact-sm"
            leftSection={<IconSearch size={14} stroke={1.5} aria-hidden />}
          >
            Show content as Search result
          </Button>
        )
      }
    >
      {({ elements }) =>
        elements.length === 0 ? <p className="muted inset">{none}</p> : <Entries label={title} entries={elements} />
      }
    </Card>
  )
}

/** Shows a toast for a failed search, once per failure. */
function useFoundFailure(error: Error | undefined, message: string): void {
  useEffect(() => {
    if (error) toast({ kind: 'danger', message })
  }, [error, message])
}

function Entries({ label, entries }: { label: string; entries: readonly Entry[] }) {
  return (
    <ol className={classes.entries} aria-label={label}>
      {entries.map((entry) => (
        <li key={entry.fileId}>
          <button
            type="button"
            className={`grid middle gap-12 full min-32 sides-8 radius-4 left hover focus-inside ${classes.entry}`}
            onClick={() => openEntryDetails(entry)}
          >
            <EntryName name={entry.name} />
            <EntryPath path={parentOf(entry.fullPath)} />
            <Size bytes={entry.size} />
          </button>
        </li>
      ))}
    </ol>
  )
}
