import { agentVariables } from '#agent/config.ts'
import { serverVariables } from '#server/platform/config.ts'

/** Variables about the machine, which server and agent read (`events/node`), and the level of the log. */
const ofMachine = ['TZ', 'HTTPS_PROXY', 'HTTP_PROXY', 'NO_PROXY', 'NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'LOG_LEVEL']

/** Variables that the product reads, by the word for the program in its image. */
export const productVariables: Record<string, readonly string[]> = {
  start: [...serverVariables, ...ofMachine],
  server: [...serverVariables, ...ofMachine],
  agent: [...agentVariables, ...ofMachine],
}
