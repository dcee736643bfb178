import { IconHistory } from '@tabler/icons-react'
import { Link } from 'wouter'
import type { Policy } from '#events/policies/policies.ts'
import { type PolicyRun, policyRuns } from '#events/policies/runs.ts'
import { useQuery } from '#client/app/address.ts'
import { useLinks } from '#client/app/links.ts'
import { useRemote } from '#client/app/remote.ts'
import { Card } from '#client/ui/Card.tsx'
import { Notice } from '#client/ui/feedback/Notice.tsx'
import { Skeleton } from '#client/ui/feedback/Skeleton.tsx'
import type { Column } from '#client/ui/table/column.ts'
import { DataTable } from '#client/ui/table/DataTable.tsx'
import { counted, countText } from '#client/ui/text/count.ts'
import { momentText } from '#client/ui/text/moment.ts'
import { Moment } from '#client/ui/values/Moment.tsx'
import { Size } from '#client/ui/values/Size.tsx'
import { Pagination } from '#client/parts/pagination/Pagination.tsx'
import { actOf } from '#client/policies/policyWords.ts'
import { RunDetails } from './RunDetails.tsx'
import { RunState } from './RunState.tsx'

const size = 10

/** Runs of a policy, newest first, and the details of one: that of the URL, or the newest. */
export function RunsCard({ policy }: { policy: Policy }) {
  const [query, change] = useQuery()
  const page = Math.max(1, Math.trunc(Number(query.get('page'))) || 1)
  const runs = useRemote(policyRuns.list, { params: { id: policy.id }, query: { page, size } }, 'policies', 'jobs')
  const rows = runs.data?.elements ?? []
  const shown = rows.find(({ id }) => id === Number(query.get('run'))) ?? rows[0]
  const total = runs.data?.total ?? 0
  return (
    <Card title="Runs" note={total > 0 && counted(total, 'run')} remote={runs} skeleton={<Skeleton rows={3} />}>
      {({ elements }) => (
        <>
          <DataTable
            label="Runs"
            columns={columnsOf(policy, shown)}
            rows={elements}
            rowKey={({ id }) => id}
            empty={
              <Notice icon={IconHistory}>
                No runs yet. Plan a run to list the files that the policy would act on. Nothing happens to them before
                you approve the list.
              </Notice>
            }
          />
          {total > size && (
            <Pagination
              nouns={['run', 'runs']}
              {...{ page, size, total }}
              sizes={[size]}
              isWhole
              isAlone
              onPage={(page) => change((query) => query.set('page', String(page)))}
              onSize={() => {}}
            />
          )}
          {shown && <RunDetails key={shown.id} policy={policy} run={shown} />}
        </>
      )}
    </Card>
  )
}

const columnsOf = ({ action }: Policy, shown: PolicyRun | undefined): Column<PolicyRun>[] => [
  { key: 'at', title: 'Planned', cell: (run) => <RunLink run={run} isShown={run === shown} /> },
  { key: 'verb', title: 'Action', wideOnly: true, cell: (run) => actOf(run, action).verb },
  { key: 'state', title: 'State', grows: true, cell: (run) => <RunState run={run} /> },
  { key: 'files', title: 'Files', align: 'right', cell: ({ files }) => countText(files) },
  { key: 'bytes', title: 'Size', align: 'right', wideOnly: true, cell: ({ bytes }) => <Size bytes={bytes} /> },
]

function RunLink({ run: { id, policyId, at }, isShown }: { run: PolicyRun; isShown: boolean }) {
  const links = useLinks()
  return (
    <Link
      className={isShown ? 'accent bold' : 'accent'}
      href={links.policy(policyId, { run: id })}
      aria-current={isShown || undefined}
      aria-label={`Run of ${momentText(at)}`}
    >
      <Moment at={at} />
    </Link>
  )
}
