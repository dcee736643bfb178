import { type Agent, type AgentInfo, builtInAgent } from '#events/agents.ts'
import type { ScanRecord } from '#events/scans.ts'
import type { Column } from '../ui/column.ts'
import { EditAction, RemoveAction, RowActions } from '../ui/RowActions.tsx'
import { compactCount } from '../ui/text/count.ts'
import { AgentName } from './AgentName.tsx'
import { AgentStateChip } from './AgentStateChip.tsx'
import classes from './Agents.module.css'

type Actions = {
  infos: AgentInfo[] | undefined
  /** What each agent scans now. */
  scansOf: (agentId: number) => ScanRecord[]
  /** The one whose name is being changed. */
  renamed: Agent | undefined
  rename: (agent: Agent | undefined) => void
  remove: (agent: Agent) => void
  onSaved: () => void
}

export const agentsColumns = ({ infos, scansOf, renamed, rename, remove, onSaved }: Actions): Column<Agent>[] => [
  { key: 'id', title: 'Id', sortable: true, wideOnly: true, cell: ({ id }) => id },
  {
    key: 'name',
    title: 'Name',
    sortable: true,
    grows: true,
    cell: (agent) =>
      renamed?.id === agent.id ? (
        <AgentName agent={agent} onSaved={onSaved} onClose={() => rename(undefined)} />
      ) : (
        <span className={classes.name}>{agent.name}</span>
      ),
  },
  {
    key: 'state',
    title: 'State',
    cell: ({ id }) => <AgentStateChip id={id} info={infos?.find((info) => info.id === id)} />,
  },
  { key: 'now', title: 'Scans Now', wideOnly: true, cell: ({ id }) => scansText(scansOf(id)) },
  {
    key: 'action',
    title: 'Action',
    align: 'right',
    cell: (agent) => <Deeds agent={agent} rename={rename} remove={remove} />,
  },
]

/** `Films 12.3K entries/s, Shows` */
const scansText = (scans: ScanRecord[]): string => scans.map(scanText).join(', ') || '-'

const scanText = ({ volumeName, progress }: ScanRecord): string =>
  progress ? `${volumeName} ${Object.values(compactCount(progress.rate)).join('')} entries/s` : volumeName

function Deeds({ agent, rename, remove }: Pick<Actions, 'rename' | 'remove'> & { agent: Agent }) {
  const { id, name } = agent
  return (
    <RowActions>
      <EditAction label={`Rename ${name}`} onClick={() => rename(agent)} />
      <RemoveAction
        label={`Delete ${name}`}
        whyNot={id === builtInAgent && 'The built-in agent cannot be deleted'}
        onClick={() => remove(agent)}
      />
    </RowActions>
  )
}
