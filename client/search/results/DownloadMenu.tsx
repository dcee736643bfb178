import { Button, Menu } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { downloadLimit } from '#events/search/exports.ts'
import { useRemote } from '#client/app/remote.ts'
import { toast } from '#client/app/toasts/toasts.ts'
import { useBusy } from '#client/app/useBusy.ts'
import { countText } from '#client/ui/text/count.ts'
import { type ListKind, type SearchAddress, searchedBy } from '#client/search/searchAddress.ts'
import { type FileKind, downloadResults } from './downloadResults.ts'
import { listOrder } from './listOrder.state.ts'
import type { SearchResults } from './useSearchResults.ts'

const labels = { csv: 'CSV', xlsx: 'spreadsheet (XLSX)' }
/** Spreadsheets first: they keep text, numbers and dates in programs of any language. */
const kinds: [ListKind, FileKind][] = [
  ['files', 'xlsx'],
  ['folders', 'xlsx'],
  ['files', 'csv'],
  ['folders', 'csv'],
]

/** Downloads the results of the filters or conditions as a file. */
export function DownloadMenu({ address, results }: { address: SearchAddress; results: SearchResults }) {
  const { list, entries, totals, sort, indexingDate } = results
  const limit = useRemote(downloadLimit, {}, 'configurations').data?.entries
  // For conditions, totals are those of the shown list.
  const files = address.criteria === undefined ? totals.data?.count : undefined
  const [busy, start] = useBusy(async (of: ListKind, kind: FileKind) => {
    const count = of === list ? entries.data?.total : of === 'files' ? files : undefined
    if (limit !== undefined && (count ?? 0) > limit) warnOfMany(limit)
    const order = of === list ? sort : listOrder[of]
    await downloadResults(of, kind, { searched: searchedBy(address), indexingDate, sort: order })
  })
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" loading={busy} leftSection={<IconDownload size={16} stroke={1.5} />}>
          Download
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {kinds.map(([of, kind]) => (
          <Menu.Item key={`${of} ${kind}`} onClick={() => start(of, kind)}>
            {of === 'files' ? 'Files' : 'Folders'} as {labels[kind]}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

function warnOfMany(limit: number) {
  toast({ kind: 'warning', message: `Only the first ${countText(limit)} items will be in the file` })
}
