import { IconReportSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { useSnapshot } from 'valtio'
import { navigate } from '#client/app/place/navigate.ts'
import { otherLimits } from '#events/reports/runs.ts'
import type { Report } from '#events/reports/templates.ts'
import { session } from '#client/app/session.state.ts'
import { ChartFigure } from '#client/ui/charts/ChartFigure.tsx'
import { Donut } from '#client/ui/charts/Donut.tsx'
import { TableSwitch } from '#client/ui/charts/TableSwitch.tsx'
import { Notice } from '#client/ui/feedback/Notice.tsx'
import { Panel } from '#client/ui/Panel.tsx'
import { countText, percentText } from '#client/ui/text/count.ts'
import { exactSize, type SizeBase, sizeWords } from '#client/ui/text/size.ts'
import { sizeSetting } from '#client/ui/values/sizeBase.state.ts'
import { foundParts, foundSummary, type FoundTotals, foundTotals } from './foundParts.ts'
import { useFoundSearch } from './useFoundSearch.ts'
import classes from './Report.module.css'

const title = 'Matches'

/** Results of the last run, relative to the searched data. */
export function FoundCard({ report }: { report: Report }) {
  const { base } = useSnapshot(sizeSetting)
  const { user } = useSnapshot(session)
  const [isTable, setTable] = useState(false)
  const search = useFoundSearch(report)
  const measured = foundTotals(report)
  if (!measured)
    return (
      <Panel title={title}>
        <Notice icon={IconReportSearch}>
          {report.lastExecutionDate ? otherLimits : 'No results until the report has run.'}
        </Notice>
      </Panel>
    )
  const parts = foundParts(measured, base)
  const open = (key: string) => {
    if (key === 'found' && search) navigate(search('files'))
  }
  return (
    <Panel title={title} actions={<TableSwitch title={title} isTable={isTable} onTurn={setTable} />}>
      <div className={`row wrap inset gap-8-16 ${classes.found}`}>
        <ChartFigure
          summary={foundSummary(measured, base)}
          parts={parts}
          columns={['', 'Size', 'Share']}
          asTable={isTable}
          onPick={open}
        >
          <Donut parts={parts} total={sizeWords(measured.size.total, base)} onPick={open} />
        </ChartFigure>
        <FoundTable measured={measured} base={base} />
      </div>
      {report.isLimited && !user?.limits && <p className="muted inset-8">Of what {report.createdBy} sees</p>}
    </Panel>
  )
}

function FoundTable({ measured: { files, folders, size }, base }: { measured: FoundTotals; base: SizeBase }) {
  const rows = [
    { name: 'Files', ...files, text: countText, exact: undefined },
    { name: 'Folders', ...folders, text: countText, exact: undefined },
    { name: 'Size', ...size, text: (bytes: number) => sizeWords(bytes, base), exact: exactSize },
  ]
  return (
    <table className={classes.figures}>
      <thead>
        <tr>
          <th scope="col">Measure</th>
          <th scope="col">Found</th>
          <th scope="col">Total</th>
          <th scope="col">Share</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, found, total, text, exact }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td title={exact?.(found)}>{text(found)}</td>
            <td title={exact?.(total)}>{text(total)}</td>
            <td>{total > 0 ? percentText(found / total) : '-'}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
