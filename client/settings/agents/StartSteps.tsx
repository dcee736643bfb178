import type { NewAgent } from '#events/agents.ts'
import { CopyableText } from '#client/ui/values/CopyableText.tsx'
import { productName } from '#client/ui/productName.ts'
import classes from './Agents.module.css'

/** True if the URL is reachable only from the machine itself. */
const isOnlyHere = (natsUrl: string): boolean => /\/\/(127\.|localhost\b|\[::1\])/.test(natsUrl)

/** Instructions for starting a new agent with its seed. */
export function StartSteps({ seed, seedFile, natsUrl, command, natsBlock }: NewAgent) {
  return (
    <>
      <ol className={classes.steps}>
        {natsBlock && (
          <li>
            Add these accounts to the configuration of your NATS server: the agent's account, and the imports and
            exports of the server's account. Then reload the configuration, twice if the version is 2.9.
            <CopyableText label="Accounts" text={natsBlock} />
          </li>
        )}
        <li>
          On the agent's machine, save the seed in the file <code>{seedFile}</code>, readable only by its user.
          <CopyableText label="Seed" text={seed} isFirst />
        </li>
        <li>
          Start the agent there, in a checkout of {productName}.
          <CopyableText label="Command" text={command} />
          {natsUrl.startsWith('tls:') && (
            <>
              If the certificate of this server is not from a public authority, add <code>NATS_CA</code> with a file of
              the certificates to trust.
            </>
          )}
        </li>
      </ol>
      {isOnlyHere(natsUrl) && (
        <p className={classes.onlyHere}>
          This NATS server can be reached only from the machine it runs on. For agents of other machines, start the
          server with AGENTS_LISTEN and a certificate, or with a NATS server that they can reach as NATS_URL.
        </p>
      )}
    </>
  )
}
