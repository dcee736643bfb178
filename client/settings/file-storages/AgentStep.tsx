import { Radio } from '@mantine/core'
import { agentInfos } from '#events/agents.ts'
import { useRemote } from '../../app/remote.ts'
import { focus } from '../../ui/focus.ts'
import { Loaded } from '../../ui/Loaded.tsx'
import { AgentStateChip } from '../AgentStateChip.tsx'
import { useAgents } from './choices.ts'
import type { FileStorageForm } from './useFileStorageForm.ts'
import classes from './FileStorages.module.css'

/** Has the focus when the list comes, and when the wizard opens with a list that is known. */
const firstField = { ref: focus, 'data-autofocus': true }

/** Which agent scans a storage. */
export function AgentStep({ form }: { form: FileStorageForm }) {
  const list = useAgents()
  const { data: infos } = useRemote(agentInfos, {}, 'agents')
  const { agent } = form.values
  return (
    <Loaded remote={list}>
      {({ elements }) => (
        <Radio.Group
          label="Agent"
          inputWrapperOrder={['label', 'description', 'input', 'error']}
          description="The one that sees the folder, or reaches the share over the network"
          value={agent}
          onChange={(value) => form.setFieldValue('agent', value)}
          error={form.errors['agent']}
        >
          <div className={classes.choices}>
            {elements.map(({ id, name }) => (
              <div key={id} className={classes.agent}>
                <Radio value={String(id)} label={name} {...(String(id) === agent && firstField)} />
                <AgentStateChip id={id} info={infos?.find((info) => info.id === id)} />
              </div>
            ))}
          </div>
        </Radio.Group>
      )}
    </Loaded>
  )
}
