import {
  type Agent,
  AgentDraft,
  type AgentInfo,
  agentInfos,
  agents,
  builtInAgent,
  type NewAgent,
} from '#events/agents.ts'
import type { ScanRecord } from '#events/scans/calls.ts'
import { usePushedDashboard } from '#client/app/live/dashboard.state.ts'
import { useRemote } from '#client/app/remote.ts'
import { Dependents } from '#client/parts/deletion/Dependents.tsx'
import { SettingsSection } from '#client/parts/settings-table/SettingsTable.tsx'
import { callsOf, rowsOf } from '#client/parts/settings-table/calls.ts'
import { describeForm } from '#client/parts/settings-table/describeForm.ts'
import type { SettingsTable } from '#client/parts/settings-table/declaration.ts'
import { compactCount } from '#client/ui/text/count.ts'
import { AcceptMachine } from './AcceptMachine.tsx'
import { AgentStateChip } from './AgentStateChip.tsx'
import { UpdateAgent } from './InstallCommand.tsx'
import { StartSteps } from './StartSteps.tsx'

/** List of agents with their state; adds, renames and deletes agents. */
export function AgentsSection() {
  const { data: infos } = useRemote(agentInfos, {}, 'agents')
  const scansOf = useScansOfAgents(infos)
  return <SettingsSection title="Agents" folds="open" table={agentsTable(infos, scansOf)} />
}

/** `scansOf` returns the running scans of an agent. */
const agentsTable = (
  infos: AgentInfo[] | undefined,
  scansOf: (agentId: number) => ScanRecord[],
): SettingsTable<Agent, { name: string }, NewAgent> => ({
  label: 'Agents',
  rows: rowsOf(agents.list, 'agents'),
  sort: { field: 'id', direction: 'asc' },
  calls: callsOf(agents),
  columns: [
    { key: 'id', title: 'Id', sortable: true, wideOnly: true, cell: ({ id }) => id },
    {
      key: 'name',
      title: 'Name',
      sortable: true,
      grows: true,
      cell: ({ name }) => <span className="strong">{name}</span>,
    },
    {
      key: 'state',
      title: 'State',
      cell: ({ id }) => <AgentStateChip id={id} info={infoOf(infos, id)} />,
    },
    { key: 'now', title: 'Running scans', wideOnly: true, cell: ({ id }) => scansText(scansOf(id)) },
  ],
  adding: { label: 'Add new agent', link: 'agent' },
  editing: { label: ({ name }) => `Rename ${name}` },
  actions: (agent, { edit, remove, onDone }) => (
    <>
      <UpdateAgent agent={agent} />
      <AcceptMachine agent={agent} info={infoOf(infos, agent.id)} onDone={() => onDone()} />
      {edit}
      {remove}
    </>
  ),
  opens: {
    at: { cell: 'name' },
    words: (edited) =>
      edited === 'new' ? { save: 'Add agent', cancel: 'Cancel' } : { save: 'Save name', cancel: 'Keep the old name' },
    labelOf: (_, edited) => (edited === 'new' ? 'Name of the new agent' : `New name of ${edited.name}`),
  },
  form: describeForm<Agent, { name: string }>()({
    schema: AgentDraft,
    fields: { name: { label: 'Name', placeholder: 'Name of the new agent', initial: '' } },
    saved: ({ name }, edited) => (edited === 'new' ? undefined : `${edited.name} is now called ${name.trim()}`),
  }),
  secret: (agent) => ({
    title: `${agent.name} was added`,
    warning: "Copy the command now; it won't be shown again. Anyone who has the seed in it can sign in as this agent.",
    content: <StartSteps {...agent} />,
  }),
  deletion: {
    label: ({ name }) => `Delete ${name}`,
    whyNot: ({ id }) => id === builtInAgent && 'The built-in agent cannot be deleted',
    verb: 'Delete agent',
    question: ({ name, id }) => (
      <>
        <p>Are you sure you want to delete agent {name}? It is disconnected immediately, and its running tasks end.</p>
        <Dependents kind="agent" id={id} />
      </>
    ),
    deleted: ({ name }) => `${name} was deleted`,
  },
})

const infoOf = (infos: AgentInfo[] | undefined, id: number) => infos?.find((info) => info.id === id)

/** Running scans by agent. The built-in agent runs the scans without an agent. */
function useScansOfAgents(infos: AgentInfo[] | undefined): (agentId: number) => ScanRecord[] {
  const newest = usePushedDashboard()
  const running = newest?.scans.filter(({ state }) => state === 'running') ?? []
  const ofOthers = infos?.flatMap(({ scanIds }) => scanIds)
  return (agentId) => {
    const own = infoOf(infos, agentId)?.scanIds
    if (agentId !== builtInAgent) return running.filter(({ scanId }) => own?.includes(scanId))
    return ofOthers ? running.filter(({ scanId }) => !ofOthers.includes(scanId)) : []
  }
}

/** `Films 12.3K entries/s, Shows` */
const scansText = (scans: ScanRecord[]): string => scans.map(scanText).join(', ') || '-'

const scanText = ({ volumeName, progress }: ScanRecord): string =>
  progress ? `${volumeName} ${Object.values(compactCount(progress.rate)).join('')} entries/s` : volumeName
