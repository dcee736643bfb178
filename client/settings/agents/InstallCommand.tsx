import { ActionIcon } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useState } from 'react'
import { type Agent, builtInAgent, installCommand, installer, type NewAgent } from '#events/agents.ts'
import { basePath } from '#client/app/place/basePath.ts'
import { useRemote } from '#client/app/remote.ts'
import { RemoteContent } from '#client/ui/feedback/RemoteContent.tsx'
import { Dialog } from '#client/ui/form/Dialog.tsx'
import { CopyableText } from '#client/ui/values/CopyableText.tsx'
import classes from './Agents.module.css'

/** Command that installs a new agent or updates one, once the server has prepared the package. */
export function InstallCommand(agent: Agent | NewAgent) {
  const remote = useRemote(installer, { params: { id: agent.id } })
  return (
    <RemoteContent
      remote={remote}
      skeleton={
        <output className="row gap-8 top-12 min-28">Preparing the package, which can take half a minute…</output>
      }
    >
      {(checksums) => (
        <CopyableText label="Command" text={installCommand(agent, checksums, location.origin + basePath)} isFirst />
      )}
    </RemoteContent>
  )
}

/** Button that shows the command to update an agent on another machine. */
export function UpdateAgent({ agent }: { agent: Agent }) {
  const [opened, open] = useState(false)
  if (agent.id === builtInAgent) return null
  return (
    <>
      <ActionIcon aria-label={`Update ${agent.name}`} onClick={() => open(true)}>
        <IconRefresh size={16} stroke={1.5} />
      </ActionIcon>
      <Dialog opened={opened} title={`Update ${agent.name}`} size="M" onClose={() => open(false)}>
        <p className={classes.before}>
          Run this command on the agent's machine. It installs the version of this server and restarts the agent.
        </p>
        <InstallCommand {...agent} />
      </Dialog>
    </>
  )
}
