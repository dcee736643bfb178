import { Button } from '@mantine/core'
import { useState } from 'react'
import { useBusy } from '#client/app/useBusy.ts'
import { FormDialog } from '#client/ui/form/FormDialog.tsx'
import { counted } from '#client/ui/text/count.ts'
import { Failure } from '#client/ui/feedback/Failure.tsx'
import { Skeleton } from '#client/ui/feedback/Skeleton.tsx'
import { SourceChoice } from './SourceChoice.tsx'
import type { ScannableSource } from './sourceCalls.ts'
import { defaultScanOptions } from './scanOptions.ts'
import { ScanOptionInputs } from './ScanOptionInputs.tsx'
import { canScanDelta, startScan } from './startScan.tsx'
import { type ScanKind, useSources } from './useSources.ts'

type ScanDialogProps = {
  opened: boolean
  title?: string
  /** Kind of sources to scan, file storages by default. */
  kind?: ScanKind
  /** Ids of the storages that are selected initially. */
  selected: readonly number[] | 'all'
  /** The folders that scans of some storages are limited to, by the ids of the storages. */
  folders?: Readonly<Record<string, string>>
  onClose: () => void
}

/** Selects storages and starts their scan. */
export function ScanDialog({ opened, title = 'Scan', kind = 'fileStorage', ...rest }: ScanDialogProps) {
  const { selected, folders = {}, onClose } = rest
  return (
    <FormDialog opened={opened} onClose={onClose} title={title} size="M">
      {opened && <Content key={kind} kind={kind} selected={selected} folders={folders} onClose={onClose} />}
    </FormDialog>
  )
}

type ContentProps = Required<Pick<ScanDialogProps, 'kind' | 'selected' | 'folders' | 'onClose'>>

function Content(props: ContentProps) {
  const { data, error, loading, retry } = useSources(props.kind)
  if (data) return <Sources {...props} sources={data} />
  return error && !loading ? <Failure error={error} retry={retry} /> : <Skeleton rows={5} />
}

function Sources({ sources, kind, selected, folders, onClose }: ContentProps & { sources: ScannableSource[] }) {
  const [chosen, choose] = useState(() =>
    sources.filter(({ volumeId }) => selected === 'all' || selected.includes(volumeId)).map(({ id }) => id),
  )
  const [options, setOptions] = useState(defaultScanOptions)
  const [busy, scan] = useBusy(async (ids: number[]) => {
    await startScan({ kind, ids, folders, ...options })
    onClose()
  })
  return (
    <>
      <SourceChoice {...{ sources, folders, kind, chosen }} onChoose={choose} disabled={busy} />
      <ScanOptionInputs options={options} canScanDelta={canScanDelta(kind)} disabled={busy} onChange={setOptions} />
      <p className="muted small">Scans may take minutes to hours.</p>
      <div className="flex end gap-8 top-24">
        <Button variant="default" onClick={onClose} disabled={busy}>
          Cancel
        </Button>
        <Button data-autofocus disabled={chosen.length === 0} loading={busy} onClick={() => scan(chosen)}>
          {scanLabel(chosen.length, sources.length)}
        </Button>
      </div>
    </>
  )
}

/** `Scan 2 storages`, or `Scan all 3 storages`. */
const scanLabel = (chosen: number, total: number): string =>
  chosen === total && total > 1 ? `Scan all ${counted(total, 'storage')}` : `Scan ${counted(chosen, 'storage')}`
