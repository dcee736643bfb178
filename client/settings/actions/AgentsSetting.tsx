import { Checkbox } from '@mantine/core'
import { builtInAgent } from '#events/agents.ts'
import { type AgentList, agentsIn } from '#events/configurations.ts'
import { useAgents } from '../sources/useAgents.ts'
import { type SettingProps, useSetting } from './useSetting.ts'
import classes from './Actions.module.css'

type AgentsSettingProps = SettingProps & {
  name: AgentList
  label: string
  /** Use of the secret by the others. */
  description: string
}

/** Selects the agents that may get the secret of a system to list what it has. Saves each change. */
export function AgentsSetting({ name, label, description, ...props }: AgentsSettingProps) {
  const { value, busy, change } = useSetting(name, props)
  const { data } = useAgents()
  const agents = data?.elements ?? []
  const known = agentsIn(value).filter((id) => agents.some((agent) => agent.id === id))
  return (
    <Checkbox.Group
      className={classes.setting}
      label={label}
      description={description}
      value={[builtInAgent, ...known].map(String)}
      onChange={(ids) => change(ids.filter((id) => Number(id) !== builtInAgent).join(','))}
    >
      <div className={classes.agents}>
        {agents.map(({ id, name }) => (
          <Checkbox key={id} value={String(id)} label={name} disabled={busy || id === builtInAgent} />
        ))}
      </div>
    </Checkbox.Group>
  )
}
