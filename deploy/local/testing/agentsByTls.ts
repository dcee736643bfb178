import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { AgentInfo, NewAgent } from '#events/agents.ts'
import { Dashboard } from '#events/dashboard.ts'
import { atEndOfFile } from '#server/platform/testing/testFile.ts'
import { testFolder } from '#server/platform/testing/stores.ts'
import { certificate } from '../stores/testing/certificate.ts'
import { startProduct } from '../testing.ts'
import { type Must, mustOf } from './calls.ts'

/** Starts a product for this test file that accepts agents with TLS at 127.0.0.2. */
export async function startWithTls() {
  const scratch = testFolder('tls')
  const file = (name: string, text: string) => {
    const path = join(scratch, name)
    writeFileSync(path, text, { mode: 0o600 })
    return path
  }
  const [cert, key] = [file('agents.crt', certificate.cert), file('agents.key', certificate.key)]
  const listening = { AGENTS_LISTEN: '127.0.0.2:0', AGENTS_TLS_CERT: cert, AGENTS_TLS_KEY: key }
  const product = await startProduct(join(scratch, 'data'), { environment: listening })
  atEndOfFile(() => product.stop())

  const call: Must = mustOf(product.call)
  const addAgent = async (name: string) => {
    const added = NewAgent.parse(await call('POST', '/servers', { name }))
    return { ...added, AGENT_SEED_FILE: file(added.seedFile, added.seed) }
  }
  const infoOf = async (agentId: number) =>
    AgentInfo.array()
      .parse(await call('GET', '/v1/servers/infos'))
      .find(({ id }) => id === agentId)
  const newestScan = async (volumeId: number) =>
    Dashboard.parse(await call('GET', '/v1/dashboard'))
      .scans.filter((scan) => scan.volumeId === volumeId)
      .toSorted((a, b) => b.scanId - a.scanId)[0]
  return { scratch, file, cert, key, listening, product, call, addAgent, infoOf, newestScan }
}

/** Poll options with enough time for a busy machine. */
export const patient = { timeout: 90_000 }
