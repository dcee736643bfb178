import { ActionIcon } from '@mantine/core'
import { IconPencil, IconTrash } from '@tabler/icons-react'
import { type Agent, type AgentInfo, builtInAgent } from '#events/agents.ts'
import type { ScanRecord } from '#events/scans.ts'
import type { Column } from '../ui/column.ts'
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
    cell: (agent) => <RowActions agent={agent} rename={rename} remove={remove} />,
  },
]

/** `Films 12.3K entries/s, Shows` */
const scansText = (scans: ScanRecord[]): string => scans.map(scanText).join(', ') || '-'

const scanText = ({ volumeName, progress }: ScanRecord): string =>
  progress ? `${volumeName} ${Object.values(compactCount(progress.rate)).join('')} entries/s` : volumeName

function RowActions({ agent, rename, remove }: Pick<Actions, 'rename' | 'remove'> & { agent: Agent }) {
  const { id, name } = agent
  const isBuiltIn = id === builtInAgent
  return (
    <span className={classes.actions}>
      <ActionIcon aria-label={`Rename ${name}`} onClick={() => rename(agent)}>
        <IconPencil size={16} stroke={1.5} />
      </ActionIcon>
      <ActionIcon
        className={classes.remove}
        aria-label={`Delete ${name}`}
        aria-disabled={isBuiltIn}
        {...(isBuiltIn && { 'data-disabled': true, title: 'The built-in agent cannot be deleted' })}
        onClick={() => isBuiltIn || remove(agent)}
      >
        <IconTrash size={16} stroke={1.5} />
      </ActionIcon>
    </span>
  )
}
