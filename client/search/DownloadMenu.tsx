import { Button, Menu } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { downloadLimit } from '#events/exports.ts'
import { useRemote } from '../app/remote.ts'
import { toast } from '../app/toasts.ts'
import { useBusy } from '../app/useBusy.ts'
import { countText } from '../ui/text/count.ts'
import { type FileKind, downloadResults } from './downloadResults.ts'
import type { ListKind } from './listKind.ts'
import { listOrder } from './listOrder.state.ts'
import type { SearchAddress } from './searchAddress.ts'
import type { FoundResults } from './useFound.ts'

const words = { csv: 'CSV', xlsx: 'spreadsheet (XLSX)' }
const kinds: [ListKind, FileKind][] = [
  ['files', 'csv'],
  ['folders', 'csv'],
  ['files', 'xlsx'],
  ['folders', 'xlsx'],
]

/** The results as a file. The conditions of the advanced search cannot be downloaded. */
export function DownloadMenu({ address, results }: { address: SearchAddress; results: FoundResults }) {
  const { list, found, totals, sort, indexingDate } = results
  const limit = useRemote(downloadLimit, {}, 'configurations').data?.entries
  const isAdvanced = address.criteria !== undefined
  const [busy, start] = useBusy(async (of: ListKind, kind: FileKind) => {
    const count = of === list ? found.data?.total : of === 'files' ? totals.data?.count : undefined
    if (limit !== undefined && (count ?? 0) > limit) warnOfMany(limit)
    const { field, direction } = of === list ? sort : listOrder[of]
    await downloadResults(of, kind, { ...address.filters, indexingDate, sort: field, direction })
  })
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button
          variant="default"
          loading={busy}
          disabled={isAdvanced}
          title={isAdvanced ? 'Results of the advanced search cannot be downloaded' : undefined}
          leftSection={<IconDownload size={16} stroke={1.5} />}
        >
          Download
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {kinds.map(([of, kind]) => (
          <Menu.Item key={`${of} ${kind}`} onClick={() => start(of, kind)}>
            {of === 'files' ? 'Files' : 'Folders'} as {words[kind]}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

function warnOfMany(limit: number) {
  toast({ kind: 'warning', message: `Only the first ${countText(limit)} items will be in the file` })
}
