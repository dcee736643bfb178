import { Link } from 'wouter'
import { type CheckedReport, reportChecks } from '#events/reports/runs.ts'
import { useLinks } from '#client/app/links.ts'
import { useRemote } from '#client/app/remote.ts'
import { CheckBadge } from '#client/parts/report-check/CheckBadge.tsx'
import { Panel } from '#client/ui/Panel.tsx'
import { counted, countText } from '#client/ui/text/count.ts'
import { Moment } from '#client/ui/values/Moment.tsx'
import classes from './ReportChecksCard.module.css'

/** Report checks that have not passed, worst first. Hidden if all pass. */
export function ReportChecksCard() {
  const { data } = useRemote(reportChecks, {}, 'reports')
  const notPassed = (data ?? []).filter(({ state }) => state !== null && state !== 'PASSED')
  if (!data || notPassed.length === 0) return null
  return (
    <div className="all-columns">
      <Panel title="Report checks" note={outcomeText(data)}>
        <ul className={classes.checks}>
          {notPassed.map((check) => (
            <li className="grid middle gap-4-12 min-32 line-top" key={check.id}>
              <CheckRow check={check} />
            </li>
          ))}
        </ul>
      </Panel>
    </div>
  )
}

const outcomes = [
  ['FAILED', 'failed'],
  ['WARNING', 'warned'],
  ['UNKNOWN', 'not evaluated'],
] as const

/** `1 of 8 checks failed, 2 warned` */
function outcomeText(checks: readonly CheckedReport[]): string {
  const counts = outcomes.flatMap(([state, words]) => {
    const count = checks.filter((check) => check.state === state).length
    return count === 0 ? [] : [[countText(count), words] as const]
  })
  const all = counted(checks.length, 'check')
  return counts.map(([count, words], i) => (i === 0 ? `${count} of ${all} ${words}` : `${count} ${words}`)).join(', ')
}

function CheckRow({ check: { id, name, state, reason, at } }: { check: CheckedReport }) {
  const links = useLinks()
  return (
    <>
      {state && <CheckBadge check={{ state, reason }} />}
      <Link className="truncate accent strong" href={links.report(id)}>
        {name}
      </Link>
      <span className={`muted break ${classes.reason}`}>{reason}</span>
      {at && <Moment at={at} />}
    </>
  )
}
