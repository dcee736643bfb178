import { IconAlertTriangle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { ScanRecord } from '#events/scans/calls.ts'
import { counted } from '#client/ui/text/count.ts'
import { Chip } from '#client/ui/values/Chip.tsx'
import { Count } from '#client/ui/values/Count.tsx'
import { Elapsed } from '#client/ui/values/Elapsed.tsx'
import { Size } from '#client/ui/values/Size.tsx'

type ScanFiguresProps = {
  scan: ScanRecord
  className: string | undefined
  /** Also how many folders, and for how long it runs. */
  isDetailed?: boolean
}

/** How fast a running scan is and how far it got. */
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

/** What was asked of an object store, as far as it is known. */
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

/** How many paths a running scan could not read; nothing where it could read all. */
export function UnreadableChip({ scan: { progress } }: { scan: ScanRecord }) {
  if (!progress || progress.unreadable === 0) return null
  return (
    <Chip icon={IconAlertTriangle} tone="warn">
      {`${counted(progress.unreadable, 'path')} unreadable`}
    </Chip>
  )
}
