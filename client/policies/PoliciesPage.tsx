import { Button } from '@mantine/core'
import { IconChecklist, IconPlayerPause, IconPlayerPlay, IconSearch } from '@tabler/icons-react'
import { Link } from 'wouter'
import { type Policy, policies } from '#events/policies/policies.ts'
import { policySavings, quarantined } from '#events/policies/runs.ts'
import { useLinks } from '#client/app/links.ts'
import { useRemote } from '#client/app/remote.ts'
import { useVolumesAt } from '#client/parts/storages/useVolumes.ts'
import { Card } from '#client/ui/Card.tsx'
import { Notice } from '#client/ui/feedback/Notice.tsx'
import { Skeleton } from '#client/ui/feedback/Skeleton.tsx'
import { Page } from '#client/ui/Page.tsx'
import { Panel } from '#client/ui/Panel.tsx'
import { DataTable } from '#client/ui/table/DataTable.tsx'
import { AllPaused, usePaused } from './AllPaused.tsx'
import { OnlyAdministrators } from './OnlyAdministrators.tsx'
import { byMonthAndProject, freedColumns, policyColumns, quarantineColumns } from './policyColumns.tsx'
import { allPolicies } from './policyWords.ts'

/** Policies, what they have in quarantine, and one button that pauses them all. */
export function PoliciesPage() {
  const list = useRemote(policies.list, allPolicies, 'policies')
  const paused = usePaused()
  const hasPolicies = list.data !== undefined && list.data.total > 0
  return (
    <Page title="Policies" actions={hasPolicies && <PauseAll {...paused} />}>
      <OnlyAdministrators>
        <div className="stack in-order gap-12">
          <AllPaused {...paused} />
          <Card title="All policies" remote={list} skeleton={<Skeleton rows={6} />}>
            {({ elements }) => <PoliciesTable rows={elements} />}
          </Card>
          {hasPolicies && <Quarantine />}
          {hasPolicies && <Freed />}
        </div>
      </OnlyAdministrators>
    </Page>
  )
}

function PauseAll({ isPaused = false, busy, pause }: ReturnType<typeof usePaused>) {
  const Sign = isPaused ? IconPlayerPlay : IconPlayerPause
  return (
    <Button
      variant="default"
      loading={busy}
      leftSection={<Sign size={16} stroke={1.5} />}
      onClick={() => pause(!isPaused)}
    >
      {isPaused ? 'Resume policies' : 'Pause all policies'}
    </Button>
  )
}

function PoliciesTable({ rows }: { rows: Policy[] }) {
  const links = useLinks()
  const { data: savings = [] } = useRemote(policySavings, {}, 'policies')
  return (
    <DataTable
      label="Policies"
      columns={policyColumns(links, savings)}
      rows={rows}
      rowKey={({ id }) => id}
      empty={
        <Notice
          icon={IconChecklist}
          step={
            <Button component={Link} href={links.search()} leftSection={<IconSearch size={16} stroke={1.5} />}>
              Search for files
            </Button>
          }
        >
          No policies yet. A policy finds files that have not been used for some time, and acts on them once you have
          approved its list. Start with a search, try it on your past snapshots, then let it run.
        </Notice>
      }
    />
  )
}

/** Files in the quarantine of each storage, and the days on which they come free. */
function Quarantine() {
  const held = useRemote(quarantined, {}, 'policies', 'snapshots')
  const volumes = useVolumesAt(undefined).data?.elements
  const nameOf = (volumeId: number) => volumes?.find(({ id }) => id === volumeId)?.name ?? `Storage ${volumeId}`
  return (
    <Card title="In quarantine" remote={held} skeleton={<Skeleton rows={2} />}>
      {(storages) => (
        <DataTable
          label="In quarantine"
          columns={quarantineColumns(nameOf)}
          rows={storages}
          rowKey={({ volumeId }) => volumeId}
          empty={<p className="inset muted">Nothing is in quarantine.</p>}
        />
      )}
    </Card>
  )
}

/** Bytes that came free by month and project, once some have. */
function Freed() {
  const { data: savings = [] } = useRemote(policySavings, {}, 'policies')
  if (savings.length === 0) return null
  return (
    <Panel title="Freed by month and project">
      <DataTable
        label="Freed by month and project"
        columns={freedColumns}
        rows={byMonthAndProject(savings)}
        rowKey={({ key }) => key}
        empty={null}
      />
    </Panel>
  )
}
