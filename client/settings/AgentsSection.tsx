import { useState } from 'react'
import { type Agent, agentInfos, agents, type NewAgent } from '#events/agents.ts'
import { useRemote } from '../app/remote.ts'
import { Card } from '../ui/Card.tsx'
import type { Sort } from '../ui/column.ts'
import { DataTable } from '../ui/DataTable.tsx'
import { countText } from '../ui/text/count.ts'
import { AgentAdd } from './AgentAdd.tsx'
import { AgentCredential } from './AgentCredential.tsx'
import { AgentDelete } from './AgentDelete.tsx'
import { agentsColumns } from './agentsColumns.tsx'
import { useScansOfAgents } from './useScansOfAgents.ts'

/** The agents: what they are called and how they are; adding, renaming and deleting them. */
export function AgentsSection() {
  const [sort, setSort] = useState<Sort>({ field: 'id', direction: 'asc' })
  const query = { page: 1, size: everyAgent, sort: sort.field, direction: sort.direction }
  const list = useRemote(agents.list, { query }, 'agents')
  const { data: infos } = useRemote(agentInfos, {}, 'agents')
  const [renamed, rename] = useState<Agent>()
  const [doomed, doom] = useState<Agent>()
  const [added, show] = useState<NewAgent>()
  const scansOf = useScansOfAgents(infos)
  const columns = agentsColumns({ infos, scansOf, renamed, rename, remove: doom, onSaved: list.retry })
  return (
    <>
      <Card title="Agents" note={list.data && countText(list.data.total)} remote={list} folds="closed">
        {({ elements }) => (
          <DataTable
            label="Agents"
            columns={columns}
            rows={elements}
            rowKey={({ id }) => id}
            sort={sort}
            onSort={setSort}
            empty={null}
            footer={
              <AgentAdd
                onAdded={(agent) => {
                  show(agent)
                  list.retry()
                }}
              />
            }
          />
        )}
      </Card>
      <AgentDelete doomed={doomed} onClose={() => doom(undefined)} onDeleted={list.retry} />
      <AgentCredential added={added} onClose={() => show(undefined)} />
    </>
  )
}

/** More agents than one page may hold are not set up by hand. */
const everyAgent = 500
