import { useState } from 'react'
import { type Storage, type storageSorts, storages } from '#events/storages.ts'
import { useActiveDate } from '../../app/activeDate.ts'
import { call } from '../../app/call.ts'
import { useRemote } from '../../app/remote.ts'
import { useBusy } from '../../app/useBusy.ts'
import type { Sort } from '#client/ui/table/column.ts'

const pageSize = 25

/** Later pages, valid while the first page stays the same. */
type More = { after: unknown; elements: Storage[]; endCursor: string | null }

/** Storages of the active date, page by page. After a change, only the first page is kept. */
export function useStoragePages({ field, direction }: Sort) {
  const { indexingDate } = useActiveDate()
  const query = { size: pageSize, sort: field as (typeof storageSorts)[number], direction, indexingDate }
  const first = useRemote(storages, { query }, 'volumes', 'snapshots')
  const [more, setMore] = useState<More>()
  const { data } = first
  const followed = more?.after === data ? more : undefined
  const endCursor = followed ? followed.endCursor : data?.hasNextPage ? data.endCursor : null
  const [isReading, readMore] = useBusy(async () => {
    if (!endCursor) return
    const next = await call(storages, { query: { ...query, endCursor } })
    setMore({
      after: data,
      elements: [...(followed?.elements ?? []), ...next.elements],
      endCursor: next.hasNextPage ? next.endCursor : null,
    })
  })
  return {
    list: { ...first, data: data && [...data.elements, ...(followed?.elements ?? [])] },
    more: endCursor === null ? undefined : readMore,
    isReading,
  }
}
