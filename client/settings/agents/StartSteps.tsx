import { Loader } from '@mantine/core'
import { type AgentInfo, agentInfos, type NewAgent } from '#events/agents.ts'
import { basePath } from '#client/app/place/basePath.ts'
import { useRemote } from '#client/app/remote.ts'
import { productName } from '#client/ui/productName.ts'
import { CopyableText } from '#client/ui/values/CopyableText.tsx'
import { AgentStateChip } from './AgentStateChip.tsx'
import { InstallCommand } from './InstallCommand.tsx'
import classes from './Agents.module.css'

/** True if an address is reachable only from the machine itself. */
const isLoopbackAddress = (url: string): boolean => /\/\/(127\.|localhost\b|\[::1\])/.test(url)

/** Instructions for starting a new agent with its key, and its state. */
export function StartSteps(agent: NewAgent) {
  const { natsUrl, natsBlock } = agent
  const origin = location.origin + basePath
  const isOnlyHere = isLoopbackAddress(natsUrl)
  return (
    <>
      {natsBlock && (
        <div className={classes.before}>
          First add these accounts to the configuration of your NATS server: the agent's account, and the imports and
          exports of the server's account. Then reload the configuration, twice if the version is 2.9.
          <CopyableText label="Accounts" text={natsBlock} />
        </div>
      )}
      <p className={classes.before}>
        {isOnlyHere && !natsBlock
          ? 'Run this command on the machine of the server. It downloads the agent, installs it and starts it.'
          : "Run this command on the agent's machine. It downloads the agent, installs it and starts it."}
      </p>
      <InstallCommand {...agent} />
      <NewAgentState {...agent} />
      {isOnlyHere && !natsBlock && <ListenFirst />}
      {!isOnlyHere && isLoopbackAddress(origin) && (
        <p className={classes.note}>
          You opened {productName} by an address that works only on this machine. Replace {origin} in the command with
          the address that the agent's machine can reach.
        </p>
      )}
      <ByHand {...agent} />
    </>
  )
}

/** Waits for the first heartbeat of the agent. */
function NewAgentState({ id, name }: NewAgent) {
  const { data: infos } = useRemote(agentInfos, {}, 'agents')
  const info = infos?.find((info) => info.id === id)
  return (
    <output className="row gap-8 top-12 min-28">
      {hasConnected(info) ? (
        <>
          <AgentStateChip id={id} info={info} />
          {name} is connected.
        </>
      ) : (
        <>
          <Loader size={16} aria-hidden />
          Waiting for {name} to connect…
        </>
      )}
    </output>
  )
}

const hasConnected = (info: AgentInfo | undefined): boolean => info !== undefined && info.state !== 'unknown'

/** Explains why agents of other machines can't connect, and what to do. */
function ListenFirst() {
  const host = isLoopbackAddress(location.origin) ? 'server.example.com' : location.hostname
  return (
    <details className={classes.more}>
      <summary>Agents on other machines can't connect yet</summary>
      <p>
        AGENTS_LISTEN is not set, so only agents on the server's machine can connect. Create a certificate for the name
        of the server, set these variables, and restart {productName}. Then delete this agent and add it again, because
        its command contains the address of the server.
      </p>
      <CopyableText label="Variables" text={listenCommands(host)} />
    </details>
  )
}

/** The parts of the command, for machines that can't download it. */
const ByHand = ({ seed, seedFile, command, natsUrl }: NewAgent) => (
  <details className={classes.more}>
    <summary>Start it without a download</summary>
    <ol className={classes.steps}>
      <li>
        On the agent's machine, save the seed as <code className="small mono">{seedFile}</code>, readable only by the
        agent's user.
        <CopyableText label="Seed" text={seed} />
      </li>
      <li>
        Start the agent there, in a checkout of {productName}.
        <CopyableText label="Manual command" text={command} />
        {natsUrl.startsWith('tls:') && (
          <>
            If the certificate of this server is not from a public authority, add{' '}
            <code className="small mono">NATS_CA</code> with a file of the certificates to trust.
          </>
        )}
      </li>
    </ol>
  </details>
)

/** Commands that let agents of other machines connect to the embedded NATS. `host` is the server's name there. */
const listenCommands = (host: string): string =>
  [
    'openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 825 \\',
    `  -subj /CN=${host} -addext subjectAltName=${/^[\d.]+$|^\[/.test(host) ? 'IP' : 'DNS'}:${host.replaceAll(/[[\]]/g, '')} \\`,
    '  -keyout agents.key -out agents.crt',
    'AGENTS_LISTEN=0.0.0.0:4222 AGENTS_TLS_CERT=agents.crt AGENTS_TLS_KEY=agents.key npm start',
  ].join('\n')
