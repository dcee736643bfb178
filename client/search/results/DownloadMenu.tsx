import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { searchSizes } from '#events/search/calls.ts'
import { downloadLimit } from '#events/search/exports.ts'
import { LazyPopover } from '#client/app/shell/LazyPopover.tsx'
import { call } from '#client/app/call.ts'
import { useRemote } from '#client/app/remote.ts'
import { toast } from '#client/app/toasts/toasts.ts'
import { useBusy } from '#client/app/useBusy.ts'
import { counted } from '#client/ui/text/count.ts'
import { type ListKind, type SearchAddress, searchedBy } from '#client/parts/searched/searchAddress.ts'
import type { FileKind } from './downloadResults.ts'
import { listOrder } from './listOrder.state.ts'
import type { SearchResults } from './useSearchResults.ts'

const loadChoices = () => import('./DownloadChoices.tsx').then((m) => m.DownloadChoices)

/** Downloads the results of the filters or conditions as a file. */
export function DownloadMenu({ address, results }: { address: SearchAddress; results: SearchResults }) {
  const { list, entries, sort, at } = results
  const limit = useRemote(downloadLimit, {}, 'configurations').data?.entries
  const [busy, start] = useBusy(async (of: ListKind, kind: FileKind) => {
    const { criteria, filters } = address
    const isOther = of === 'files' && list === 'folders' && criteria === undefined
    const files = isOther ? await call(searchSizes, { query: { ...filters, ...at } }) : undefined
    const count = of === list ? entries.data?.total : files?.count
    if (limit !== undefined && (count ?? 0) > limit) warnOfMany(limit)
    const order = of === list ? sort : listOrder[of]
    const { downloadResults } = await import('./downloadResults.ts')
    await downloadResults(of, kind, { searched: searchedBy(address), at, sort: order })
  })
  const icon = <IconDownload size={16} stroke={1.5} />
  if (entries.data?.total === 0)
    return (
      <Button variant="default" leftSection={icon} title="There is nothing to download" aria-disabled data-disabled>
        Download
      </Button>
    )
  return (
    <LazyPopover load={loadChoices} opens="menu" content={{ onChoose: start }}>
      <Button variant="default" loading={busy} leftSection={icon}>
        Download
      </Button>
    </LazyPopover>
  )
}

function warnOfMany(limit: number) {
  toast({ kind: 'warning', message: `Only the first ${counted(limit, 'item')} will be in the file` })
}
