import { Link } from 'wouter'
import type { Answer } from '#events/contract/endpoint.ts'
import { moneyText } from '#events/money.ts'
import { type Policy, policyActionLabels } from '#events/policies/policies.ts'
import type { policySavings, quarantined } from '#events/policies/runs.ts'
import type { Links } from '#client/app/links.ts'
import { CronCell } from '#client/parts/cron/CronCell.tsx'
import type { Column } from '#client/ui/table/column.ts'
import { counted, countText } from '#client/ui/text/count.ts'
import { periodText } from '#client/ui/text/period.ts'
import { Chip } from '#client/ui/values/Chip.tsx'
import { Moment } from '#client/ui/values/Moment.tsx'
import { Size } from '#client/ui/values/Size.tsx'
import { RunState } from './runs/RunState.tsx'

type Savings = Answer<typeof policySavings>

/** Columns of the list of policies. */
export const policyColumns = (links: Links, savings: Savings): Column<Policy>[] => [
  {
    key: 'name',
    title: 'Name',
    grows: true,
    cell: ({ id, name, waiting }) => (
      <span className="row wrap gap-2-8">
        <Link className="accent strong break wrapping" href={links.policy(id)}>
          {name}
        </Link>
        {waiting > 0 && <Chip tone="attention">{`${counted(waiting, 'run')} waiting for approval`}</Chip>}
      </span>
    ),
  },
  {
    key: 'does',
    title: 'Then',
    cell: ({ action, untouchedDays }) => (
      <span className="stack padded-lines">
        {policyActionLabels[action.kind]}
        <span className="muted small nowrap">Untouched for {counted(untouchedDays, 'day')}</span>
      </span>
    ),
  },
  {
    key: 'lastRun',
    title: 'Last run',
    wideOnly: true,
    cell: ({ lastRun }) =>
      lastRun ? (
        <span className="stack">
          <RunState run={lastRun} />
          <span className="muted small">
            <Moment at={lastRun.at} />
          </span>
        </span>
      ) : (
        <span className="muted small">Not run yet</span>
      ),
  },
  {
    key: 'nextRun',
    title: 'Next run',
    wideOnly: true,
    cell: ({ cron, nextRuns, paused }) =>
      cron === null ? (
        <span className="muted small">{paused ? 'Paused' : 'Not scheduled'}</span>
      ) : (
        <CronCell cron={cron} nextRuns={nextRuns.slice(0, 1)} isPaused={paused} />
      ),
  },
  {
    key: 'quarantine',
    title: 'In quarantine',
    align: 'right',
    wideOnly: true,
    cell: ({ quarantine }) => (quarantine?.files ? <Size bytes={quarantine.bytes} /> : '-'),
  },
  { key: 'freed', title: 'Freed', align: 'right', wideOnly: true, cell: ({ id }) => freedBy(id, savings) },
]

/** Everything that a policy has freed, and its cost per year by currency. */
function freedBy(id: number, savings: Savings) {
  const own = savings.filter(({ policyId }) => policyId === id)
  return own.length === 0 ? '-' : <Freed savings={own} />
}

function Freed({ savings }: { savings: Savings }) {
  const yearly = Map.groupBy(
    savings.flatMap(({ money }) => money),
    ({ currencySymbol }) => currencySymbol,
  )
  return (
    <span className="stack padded-lines">
      <Size bytes={savings.reduce((sum, { bytes }) => sum + bytes, 0)} />
      {[...yearly].map(([symbol, amounts]) => (
        <span key={symbol} className="muted small nowrap">
          {moneyText(
            amounts.reduce((sum, { perYear }) => sum + perYear, 0),
            symbol,
          )}{' '}
          per year
        </span>
      ))}
    </span>
  )
}

/** Savings of all policies in a month, in a project or outside of them. */
type FreedInMonth = { key: string; savings: Savings }

/** Savings by month, newest first, and project. */
export const byMonthAndProject = (savings: Savings): FreedInMonth[] =>
  [...Map.groupBy(savings, ({ month, project }) => `${month} ${project?.name ?? ''} ${project?.id ?? ''}`)]
    .map(([key, some]) => ({ key, savings: some }))
    .toSorted((a, b) => b.key.slice(0, 7).localeCompare(a.key.slice(0, 7)) || a.key.localeCompare(b.key))

/** Columns of the savings by month and project. */
export const freedColumns: Column<FreedInMonth>[] = [
  { key: 'month', title: 'Month', cell: ({ savings }) => periodText('MONTH', `${savings[0]?.month}-01`) },
  { key: 'project', title: 'Project', grows: true, cell: ({ savings }) => savings[0]?.project?.name ?? 'No project' },
  {
    key: 'files',
    title: 'Files',
    align: 'right',
    wideOnly: true,
    cell: ({ savings }) => countText(savings.reduce((sum, { files }) => sum + files, 0)),
  },
  { key: 'freed', title: 'Freed', align: 'right', cell: ({ savings }) => <Freed savings={savings} /> },
]

type QuarantinedFiles = Answer<typeof quarantined>[number]

/** Columns of the files in quarantine, by storage. */
export const quarantineColumns = (nameOf: (volumeId: number) => string): Column<QuarantinedFiles>[] => [
  { key: 'storage', title: 'Storage', grows: true, cell: ({ volumeId }) => nameOf(volumeId) },
  { key: 'files', title: 'Files', align: 'right', wideOnly: true, cell: ({ files }) => countText(files) },
  { key: 'bytes', title: 'Size', align: 'right', cell: ({ bytes }) => <Size bytes={bytes} /> },
  {
    key: 'free',
    title: 'Comes free',
    cell: ({ comesFree }) =>
      comesFree.length === 0
        ? 'No day set'
        : comesFree.map(({ day, bytes }) => (
            <div key={day} className="nowrap">
              <Size bytes={bytes} /> on {day}
            </div>
          )),
  },
]
