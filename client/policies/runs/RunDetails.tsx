import { Button } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import type { Policy } from '#events/policies/policies.ts'
import { type PolicyRun, policyRuns } from '#events/policies/runs.ts'
import { call } from '#client/app/call.ts'
import { useBusy } from '#client/app/useBusy.ts'
import { LeftOutTables } from '#client/parts/actions/wizard/LeftOut.tsx'
import { Folded } from '#client/ui/Folded.tsx'
import { Confirm } from '#client/ui/form/Confirm.tsx'
import { ReviewList } from '#client/ui/form/ReviewList.tsx'
import { counted } from '#client/ui/text/count.ts'
import type { SizeBase } from '#client/ui/text/size.ts'
import { momentText } from '#client/ui/text/moment.ts'
import { Moment } from '#client/ui/values/Moment.tsx'
import { useSizeBase } from '#client/ui/values/sizeBase.state.ts'
import { actOf, amountOf } from '#client/policies/policyWords.ts'
import { JobOutcome } from './JobOutcome.tsx'
import { RunFiles } from './RunFiles.tsx'

type RunProps = { policy: Policy; run: PolicyRun }

/** A run: why it waits, its files, what became of them, and the way back. */
export function RunDetails({ policy, run }: RunProps) {
  const { id, at, reasons, state, leftOut, undoJobs, jobId } = run
  return (
    <section className="stack inset gap-12 line-top" aria-label={`Run of ${momentText(at)}`}>
      <div className="row wrap between gap-8 top-12">
        <h3 className="heading">Run of {momentText(at)}</h3>
        {state === 'waiting' && <Approval policy={policy} run={run} />}
      </div>
      {reasons.length > 0 && (
        <ul className="stack gap-4" aria-label="Reasons">
          {reasons.map((reason) => (
            <li key={reason} className={state === 'waiting' ? 'warn' : 'muted'}>
              {reason}
            </li>
          ))}
        </ul>
      )}
      <RunFacts policy={policy} run={run} />
      {jobId !== null && <JobOutcome title="Result" jobId={jobId} known={run.jobStatus} />}
      {undoJobs.map((undo) => (
        <JobOutcome key={undo} title="Put back" jobId={undo} />
      ))}
      {run.files > 0 && <RunFiles run={run} />}
      {leftOut.length > 0 && (
        <Folded summary={`Left out: ${counted(sumOf(leftOut), 'file')}`} isSet={run.files === 0} isInvalid={false}>
          <div className="stack gap-12 top-8">
            <LeftOutTables reasons={leftOut} hasFiles list={policyRuns.files} id={id} />
          </div>
        </Folded>
      )}
    </section>
  )
}

const sumOf = (parts: readonly { files: number }[]) => parts.reduce((sum, { files }) => sum + files, 0)

function RunFacts({ policy, run }: RunProps) {
  const base = useSizeBase()
  const { startedBy, dueAt, approvals, missingApprovals, state, quarantine, owners } = run
  const rows: [string, ReactNode][] = [
    ['Files', amountOf(run, base)],
    ...(run.storages ? [['Storages', storagesText(run, base)] satisfies [string, ReactNode]] : []),
    ['Planned by', dueAt === null ? startedBy : 'The schedule'],
    ...approvals.map(({ by, at }): [string, ReactNode] => [
      'Approved by',
      <>
        {by}, <Moment at={at} />
      </>,
    ]),
  ]
  if (owners)
    rows.push(
      ['Asked', counted(owners.asked, 'owner')],
      ['Kept', counted(owners.kept, 'file')],
      ['Released', counted(owners.released, 'file')],
    )
  if (state === 'waiting' && approvals.length > 0) rows.push(['Missing', counted(missingApprovals, 'approval')])
  if (quarantine && quarantine.files > 0)
    rows.push(['In quarantine', amountOf(quarantine, base)], ['Comes free', quarantine.deleteOn ?? comesFree(policy)])
  return <ReviewList rows={rows} />
}

/** Names of the storages, with what is planned on each if there are several. */
const storagesText = ({ storages = [] }: PolicyRun, base: SizeBase): string =>
  storages.map(({ name, ...one }) => (storages.length > 1 ? `${name} (${amountOf(one, base)})` : name)).join(', ')

/** Words for files in quarantine without a day: the policy has none, or their job is open. */
const comesFree = ({ action }: Policy): string =>
  action.kind === 'quarantine' && action.deleteAfterDays === null
    ? 'Never: the policy deletes nothing'
    : 'Known when the job has ended'

/** Approves or declines a list of files. */
function Approval({ policy, run }: RunProps) {
  const base = useSizeBase()
  const [isAsking, ask] = useState(false)
  const { verb, effect, isReversible } = actOf(run, policy.action)
  const params = { id: run.id }
  const [approving, approve] = useBusy(async () => {
    await call(policyRuns.approve, { params, body: { hash: run.hash } })
    ask(false)
  })
  const [declining, decline] = useBusy(async () => {
    await call(policyRuns.decline, { params })
  })
  const named = counted(run.files, 'file')
  return (
    <div className="row wrap gap-8">
      <Button variant="default" loading={declining} onClick={decline}>
        Decline
      </Button>
      <Button onClick={() => ask(true)}>Approve …</Button>
      <Confirm
        opened={isAsking}
        title="Approve the run"
        verb={`${verb} ${named}`}
        busy={approving}
        isHarmless={isReversible}
        onCancel={() => ask(false)}
        onConfirm={approve}
      >
        <p>
          <strong className="text">{amountOf(run, base)}</strong>
          {run.storages && ` of ${storagesText(run, base)}`}.
        </p>
        <p className="top-8">{effect}</p>
        <p className="top-8">
          {run.missingApprovals > 1
            ? `${counted(run.missingApprovals - 1, 'more approval')} of another administrator is needed before the run starts.`
            : 'The run starts at once. Files that have changed since the scan are left alone.'}
        </p>
      </Confirm>
    </div>
  )
}
