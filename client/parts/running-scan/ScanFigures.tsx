import { IconAlertTriangle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { ScanRecord } from '#events/scans/calls.ts'
import { counted } from '#client/ui/text/count.ts'
import { Chip } from '#client/ui/values/Chip.tsx'
import { Count } from '#client/ui/values/Count.tsx'
import { Elapsed } from '#client/ui/values/Elapsed.tsx'
import { Size } from '#client/ui/values/Size.tsx'
import { paceText } from '#client/ui/text/pace.ts'

type ScanFiguresProps = {
  scan: ScanRecord
  className: string | undefined
  /** Also shows the number of folders and the elapsed time. */
  isDetailed?: boolean
}

/** Speed and progress of a running scan. */
export function ScanFigures({ scan, className, isDetailed = false }: ScanFiguresProps) {
  const { progress, state, startedAt } = scan
  return (
    <dl className={className} data-live>
      <Value label="Entries/s">
        <Count of={state === 'running' ? (progress?.rate ?? 0) : 0} />
      </Value>
      <Value label="Entries">
        <Count of={progress?.entries ?? scan.files + scan.folders} />
      </Value>
      {isDetailed && (
        <Value label="Folders">
          <Count of={progress?.directories ?? scan.folders} />
        </Value>
      )}
      <Requests of={progress?.requests} />
      <Value label="Size">
        <Size bytes={progress?.bytes ?? scan.bytes} />
      </Value>
      {isDetailed && <Value label="Elapsed">{startedAt ? <Elapsed since={startedAt} /> : '-'}</Value>}
    </dl>
  )
}

/** Requests sent to an object store, if known. */
const Requests = ({ of }: { of: number | undefined }) =>
  of === undefined ? null : (
    <Value label="Requests">
      <Count of={of} />
    </Value>
  )

function Value({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}

/** Lookups in flight and their latency; empty for storages that answer fast, and when all was read. */
export function ScanPace({ scan: { progress, state } }: { scan: ScanRecord }) {
  const text = state === 'running' && progress ? paceText(progress) : ''
  return text && <span data-live>{text}</span>
}

/** Number of unreadable paths; empty if it is zero. */
export function UnreadableChip({ scan: { progress } }: { scan: ScanRecord }) {
  if (!progress || progress.unreadable === 0) return null
  return (
    <Chip icon={IconAlertTriangle} tone="warn">
      {`${counted(progress.unreadable, 'path')} unreadable`}
    </Chip>
  )
}
