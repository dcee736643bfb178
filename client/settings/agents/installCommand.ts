import { agentPackagePath, type NewAgent } from '#events/agents.ts'

/** True if an address is reachable only from the machine itself. */
export const isLoopbackAddress = (url: string): boolean => /\/\/(127\.|localhost\b|\[::1\])/.test(url)

/**
 * Command that installs and starts an agent. `origin` is the address of the server, with its base path. The key goes in by
 * the standard input, because all users of a machine can see command lines. The space at the beginning keeps it out of
 * the history of most shells.
 */
export function installCommand({ id, natsUrl, seed, caSha256 }: NewAgent, origin: string): string {
  const script = 'dataintell-agent.sh'
  return [
    ` curl -fsSL ${origin}${agentPackagePath}/install.sh -o ${script} && sudo sh ${script} --server ${origin} <<'END'`,
    `AGENT_ID=${id}`,
    `NATS_URL=${natsUrl}`,
    `AGENT_SEED=${seed}`,
    ...(caSha256 === null ? [] : [`CA_SHA256=${caSha256}`]),
    'END',
  ].join('\n')
}

/** Commands that let agents of other machines connect to the embedded NATS. `host` is the server's name there. */
export const listenCommands = (host: string): string =>
  [
    'openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 825 \\',
    `  -subj /CN=${host} -addext subjectAltName=${/^[\d.]+$|^\[/.test(host) ? 'IP' : 'DNS'}:${host.replaceAll(/[[\]]/g, '')} \\`,
    '  -keyout agents.key -out agents.crt',
    'AGENTS_LISTEN=0.0.0.0:4222 AGENTS_TLS_CERT=agents.crt AGENTS_TLS_KEY=agents.key npm start',
  ].join('\n')
