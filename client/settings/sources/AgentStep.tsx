import { Radio } from '@mantine/core'
import type { ReactNode } from 'react'
import { agentInfos } from '#events/agents.ts'
import { useRemote } from '#client/app/remote.ts'
import { focus } from '#client/ui/form/focus.ts'
import { RemoteContent } from '#client/ui/feedback/RemoteContent.tsx'
import { AgentStateChip } from '../agents/AgentStateChip.tsx'
import { useAgents } from './useAgents.ts'
import classes from './Sources.module.css'

/** Takes the focus once the list has loaded, or when the wizard opens with a loaded list. */
const firstField = { ref: focus, 'data-autofocus': true }

type AgentStepProps = {
  /** The id of the agent. */
  value: string
  onChange: (value: string) => void
  error?: ReactNode
  description: string
}

/** Selects the agent that scans a source. */
export function AgentStep({ value, onChange, error, description }: AgentStepProps) {
  const list = useAgents()
  const { data: infos } = useRemote(agentInfos, {}, 'agents')
  return (
    <RemoteContent remote={list}>
      {({ elements }) => (
        <Radio.Group
          label="Agent"
          inputWrapperOrder={['label', 'description', 'input', 'error']}
          description={description}
          value={value}
          onChange={onChange}
          error={error}
        >
          <div className={classes.options}>
            {elements.map(({ id, name }) => (
              <div key={id} className="row gap-12">
                <Radio value={String(id)} label={name} {...(String(id) === value && firstField)} />
                <AgentStateChip id={id} info={infos?.find((info) => info.id === id)} />
              </div>
            ))}
          </div>
        </Radio.Group>
      )}
    </RemoteContent>
  )
}
