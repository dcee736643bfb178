import { useState } from 'react'
import { listUsedAgain, type UsedAgain } from '#events/policies/simulations.ts'
import { useRemote } from '#client/app/remote.ts'
import { ChartFigure } from '#client/ui/charts/ChartFigure.tsx'
import { type ChartPart, categoryOf } from '#client/ui/charts/chartPart.ts'
import { Columns } from '#client/ui/charts/Columns.tsx'
import { stepBase, tickText } from '#client/ui/charts/measure.ts'
import { RankedBars } from '#client/ui/charts/RankedBars.tsx'
import { TableSwitch } from '#client/ui/charts/TableSwitch.tsx'
import { RemoteContent } from '#client/ui/feedback/RemoteContent.tsx'
import { Segments } from '#client/ui/form/Segments.tsx'
import { Folded } from '#client/ui/Folded.tsx'
import { Skeleton } from '#client/ui/feedback/Skeleton.tsx'
import type { Column } from '#client/ui/table/column.ts'
import { DataTable } from '#client/ui/table/DataTable.tsx'
import { counted, countText } from '#client/ui/text/count.ts'
import { periodText } from '#client/ui/text/period.ts'
import { sizeWords } from '#client/ui/text/size.ts'
import { PathText } from '#client/ui/values/PathText.tsx'
import { Size } from '#client/ui/values/Size.tsx'
import { useSizeBase } from '#client/ui/values/sizeBase.state.ts'
import { regretText, type Tried, type TriedAge } from '#client/policies/policyWords.ts'

/** One age by month, the projects and owners who used files again, and these files. */
export function AgeDetails({ age, tried }: { age: TriedAge; tried: Tried }) {
  const { days, projects, owners, total } = age
  return (
    <>
      <Months age={age} />
      {total.regret[90].files > 0 && (
        <div className="halves start">
          <Ranked title="Used again by project" rows={projects.map(({ name, ...one }) => ({ ...one, name }))} />
          <Ranked title="Used again by owner" rows={owners.map(({ owner: name, ...one }) => ({ ...one, name }))} />
        </div>
      )}
      {total.regret[365].files > 0 && (
        <Folded summary="Files that were used again" isSet={false} isInvalid={false}>
          <FilesUsedAgain tried={tried} days={days} />
        </Folded>
      )}
    </>
  )
}

function Months({ age: { days, months } }: { age: TriedAge }) {
  const base = useSizeBase()
  const [asTable, turn] = useState(false)
  const reading = { measure: 'size', base } as const
  const parts = months.map((month): ChartPart => {
    const size = sizeWords(month.bytes, base)
    const again = regretText(month, 90)
    return {
      key: month.month,
      label: periodText('MONTH', `${month.month}-01`),
      short: month.month,
      value: month.bytes,
      text: size,
      role: 'usage-ok',
      isPickable: false,
      cells: asTable ? [countText(month.files), size, again] : [size, `Used again in 90 days: ${again}`],
    }
  })
  if (parts.length === 0) return null
  return (
    <div className="stack gap-8">
      <div className="row between">
        <h3 className="heading">By month, untouched for {counted(days, 'day')}</h3>
        <TableSwitch title="months" isTable={asTable} onTurn={turn} />
      </div>
      <ChartFigure
        summary={`Bytes that the policy would have freed by month, untouched for ${counted(days, 'day')}.`}
        parts={parts}
        columns={['Month', 'Files', 'Freed', 'Used again in 90 days']}
        asTable={asTable}
      >
        <Columns label="Freed by month" parts={parts} base={stepBase(reading)} tickText={tickText(reading)} />
      </ChartFigure>
    </div>
  )
}

type RankedProps = { title: string; rows: readonly { name: string; files: number; bytes: number }[] }

function Ranked({ title, rows }: RankedProps) {
  const base = useSizeBase()
  if (rows.length === 0) return null
  const parts = rows.map(({ name, files, bytes }, at): ChartPart => {
    const text = sizeWords(bytes, base)
    return {
      key: name,
      label: name,
      value: bytes,
      text,
      role: categoryOf(at),
      isPickable: false,
      cells: [text, countText(files)],
    }
  })
  return (
    <section className="stack gap-8" aria-label={title}>
      <h3 className="heading">{title}</h3>
      <RankedBars parts={parts} />
    </section>
  )
}

const withins = [
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: '365 days' },
] as const

/** The largest files that were used again after the policy would have acted on them. */
function FilesUsedAgain({ tried, days }: { tried: Tried; days: number }) {
  const [within, setWithin] = useState<(typeof withins)[number]['value']>('90')
  const body = { ...tried, days, within: Number(within) as 30 | 90 | 365 }
  const files = useRemote(listUsedAgain, { body }, 'snapshots')
  return (
    <div className="stack gap-8 top-8">
      <Segments label="Used again within" options={withins} chosen={within} onChoose={setWithin} />
      <RemoteContent remote={files} skeleton={<Skeleton rows={4} />}>
        {(rows) => (
          <DataTable
            label="Files that were used again"
            columns={columns}
            rows={rows.slice(0, maxShown)}
            rowKey={({ path, actedOn }) => `${path} ${actedOn}`}
            empty={<p className="muted">No file was used again within {within} days.</p>}
            footer={rows.length > maxShown && <span className="muted">The largest {maxShown} files are shown.</span>}
          />
        )}
      </RemoteContent>
    </div>
  )
}

const maxShown = 100

const columns: Column<UsedAgain>[] = [
  { key: 'path', title: 'Path', grows: true, cell: ({ path }) => <PathText path={path} /> },
  { key: 'owner', title: 'Owner', wideOnly: true, cell: ({ owner }) => owner },
  { key: 'size', title: 'Size', align: 'right', cell: ({ size }) => <Size bytes={size} /> },
  {
    key: 'actedOn',
    title: 'Acted on',
    wideOnly: true,
    cell: ({ actedOn }) => <span className="nowrap">{actedOn}</span>,
  },
  { key: 'usedOn', title: 'Used on', cell: ({ usedOn }) => <span className="nowrap">{usedOn}</span> },
]
