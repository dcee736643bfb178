import type { ReactNode } from 'react'
import {
  comparesData,
  invalidName,
  type Report,
  type ShownSource,
  sourceTypeLabels,
} from '#events/reports/templates.ts'
import { CronWords } from '#client/parts/cron/CronWords.tsx'
import { useVolumesAt } from '#client/parts/storages/useVolumes.ts'
import { checkText, queryText } from '#events/reports/parameterWords.ts'
import { UnconfirmedAddresses } from '#client/parts/addresses/UnconfirmedAddresses.tsx'
import { webhookProblem } from '#client/parts/webhook/webhookValues.ts'
import { Panel } from '#client/ui/Panel.tsx'
import { PathText } from '#client/ui/values/PathText.tsx'
import classes from './Report.module.css'

/** Parameters of a report. */
export function ParametersCard({ report }: { report: Report }) {
  const { type, schedule, checks, delivery, parameters } = report
  const { references, comparison, searchQueryNode, rollingDates } = parameters
  const problem = webhookProblem(report)
  return (
    <Panel title="Parameters">
      <div className={`stack inset gap-12 ${classes.parameters}`}>
        {comparesData(type) && (
          <>
            <Part title="Reference data">
              <Sources label="Reference data" sources={references} />
            </Part>
            <Part title="Comparison data">
              <Sources label="Comparison data" sources={comparison} />
            </Part>
          </>
        )}
        <Part title="Search query">
          {searchQueryNode ? <Query searchQueryNode={searchQueryNode} rollingDates={rollingDates} /> : <p>None</p>}
        </Part>
        {schedule && (
          <Part title="Runs">
            <p>
              <CronWords cron={schedule.cron} />
              {schedule.paused && ' (paused)'}
            </p>
          </Part>
        )}
        {checks.length > 0 && (
          <Part title="Check">
            {checks.map((check) => (
              <p key={checkText(check)}>{checkText(check)}</p>
            ))}
          </Part>
        )}
        {delivery && (delivery.addresses.length > 0 || delivery.webhook !== null) && (
          <Part title="Recipients">
            <p>{[...delivery.addresses, ...(delivery.webhook === null ? [] : [delivery.webhook])].join(', ')}</p>
            <UnconfirmedAddresses addresses={delivery.addresses} />
          </Part>
        )}
        {problem && <p className="critical strong">{problem}</p>}
      </div>
    </Panel>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h3 className="muted small strong bottom-4">{title}</h3>
      {children}
    </section>
  )
}

type QueryProps = { searchQueryNode: NonNullable<Report['parameters']['searchQueryNode']>; rollingDates: boolean }

function Query({ searchQueryNode, rollingDates }: QueryProps) {
  const volumes = useVolumesAt(undefined)
  if (volumes.loading && !volumes.data) return <p>…</p>
  const sentence = queryText(searchQueryNode, volumes.data?.elements ?? [])
  return (
    <>
      <p className={classes.sentence}>
        {sentence.split(/(\bInvalid\b)/).map((piece, at) =>
          piece === invalidName ? (
            <span key={at} className="critical strong">
              {piece}
            </span>
          ) : (
            piece
          ),
        )}
      </p>
      {rollingDates && /\d{4}-\d{2}-\d{2}/.test(sentence) && <p className="muted">Dates are relative to each run.</p>}
    </>
  )
}

function Sources({ label, sources }: { label: string; sources: readonly ShownSource[] }) {
  return (
    <ul aria-label={label}>
      {sources.map(({ type, id, path, volumeName }) => (
        <li className="row shrink min-28 gap-8" key={`${type} ${id} ${path}`}>
          <span className="muted">{sourceTypeLabels[type]}</span>
          <span className={volumeName === invalidName ? 'critical strong' : 'truncate strong'}>{volumeName}</span>
          {path !== '/' && <PathText path={path} />}
        </li>
      ))}
    </ul>
  )
}
