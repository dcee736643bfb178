import { Button } from '@mantine/core'
import type { NewAgent } from '#events/agents.ts'
import { Copied } from '../ui/Copied.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import classes from './Agents.module.css'

type AgentCredentialProps = { added: NewAgent | undefined; onClose: () => void }

/** What a new agent is started with. The server does not keep the seed, so only the button closes this. */
export function AgentCredential({ added, onClose }: AgentCredentialProps) {
  return (
    <Dialog opened={added !== undefined} onClose={onClose} title={`${added?.name ?? ''} was added`} size="M" holds>
      {added && <Steps {...added} />}
      <div className={classes.buttons}>
        <Button onClick={onClose}>Done</Button>
      </div>
    </Dialog>
  )
}

function Steps({ seed, seedFile, command, natsBlock }: NewAgent) {
  return (
    <>
      <p className={classes.once}>The seed is not shown again. Whoever has it can sign in as this agent.</p>
      <ol className={classes.steps}>
        {natsBlock && (
          <li>
            Add this user to the configuration of your NATS, and let it read that again.
            <Copied label="User block" text={natsBlock} />
          </li>
        )}
        <li>
          On the agent's machine, save the seed in the file <code>{seedFile}</code>, which its user alone may read.
          <Copied label="Seed" text={seed} />
        </li>
        <li>
          Start the agent there, in its checkout of the product.
          <Copied label="Command" text={command} />
        </li>
      </ol>
    </>
  )
}
