import type { NewAgent } from '#events/agents.ts'
import { Copied } from '../ui/Copied.tsx'
import { productName } from '../ui/productName.ts'
import classes from './Agents.module.css'
import { ShownOnce } from './ShownOnce.tsx'

type AgentCredentialProps = { added: NewAgent | undefined; onClose: () => void }

/** What a new agent is started with. */
export function AgentCredential({ added, onClose }: AgentCredentialProps) {
  return (
    <ShownOnce
      title={`${added?.name ?? ''} was added`}
      isShown={added !== undefined}
      warning="The seed is not shown again. Whoever has it can sign in as this agent."
      onClose={onClose}
    >
      {added && <Steps {...added} />}
    </ShownOnce>
  )
}

/** Whether only the machine itself gets there. */
const isOnlyHere = (natsUrl: string): boolean => /\/\/(127\.|localhost\b|\[::1\])/.test(natsUrl)

function Steps({ seed, seedFile, natsUrl, command, natsBlock }: NewAgent) {
  return (
    <>
      <ol className={classes.steps}>
        {natsBlock && (
          <li>
            Add this user to the configuration of your NATS, and let it read that again.
            <Copied label="User block" text={natsBlock} />
          </li>
        )}
        <li>
          On the agent's machine, save the seed in the file <code>{seedFile}</code>, which its user alone may read.
          <Copied label="Seed" text={seed} isFirst />
        </li>
        <li>
          Start the agent there, in a checkout of {productName}.
          <Copied label="Command" text={command} />
          {natsUrl.startsWith('tls:') && (
            <>
              Where the certificate of this server is from no public authority, add <code>NATS_CA</code> with a file of
              those to trust.
            </>
          )}
        </li>
      </ol>
      {isOnlyHere(natsUrl) && (
        <p className={classes.onlyHere}>
          This NATS is reached from the server's own machine only. For agents of other machines, start the server with
          AGENTS_LISTEN and a certificate, or with a NATS that they can reach as NATS_URL.
        </p>
      )}
    </>
  )
}
