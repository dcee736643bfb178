import { Menu } from '@mantine/core'
import type { ComponentProps } from 'react'
import type { PopoverContent } from '#client/app/shell/LazyPopover.tsx'
import type { ListKind } from '#client/parts/searched/searchAddress.ts'
import type { FileKind } from './downloadResults.ts'

const labels = { csv: 'CSV', xlsx: 'spreadsheet (XLSX)' }
/** Spreadsheets first: they keep text, numbers and dates in programs of any language. */
const kinds: [ListKind, FileKind][] = [
  ['files', 'xlsx'],
  ['folders', 'xlsx'],
  ['files', 'csv'],
  ['folders', 'csv'],
]

type DownloadChoicesProps = ComponentProps<PopoverContent<{ onChoose: (of: ListKind, kind: FileKind) => void }>>

/** Menu of the download button. */
export const DownloadChoices = ({ button, onChoose }: DownloadChoicesProps) => (
  <Menu position="bottom-end">
    <Menu.Target>{button}</Menu.Target>
    <Menu.Dropdown>
      {kinds.map(([of, kind]) => (
        <Menu.Item key={`${of} ${kind}`} onClick={() => onChoose(of, kind)}>
          {of === 'files' ? 'Files' : 'Folders'} as {labels[kind]}
        </Menu.Item>
      ))}
    </Menu.Dropdown>
  </Menu>
)
