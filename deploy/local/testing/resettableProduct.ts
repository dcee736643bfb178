import { join } from 'node:path'
import { streams } from '#events/subjects.ts'
import { readConfig } from '#server/platform/config.ts'
import { openNats } from '#server/platform/nats/nats.ts'
import { type Server, serve } from '#server/serve.ts'
import { startLocalStores } from '../stores/index.ts'

/**
 * The product for many test files, one after another. Loaded code and nats-server are kept; each file gets a new server
 * and agent on the database and the data folder of its environment. `sharedProduct.ts` starts this program and sends
 * the requests.
 */
export type ProductRequest = { type: 'start'; environment: NodeJS.ProcessEnv } | { type: 'stop' }
export type ProductReply = { address?: string; error?: string }

const stores = await startLocalStores(readConfig(), () => {})
let server: Server | undefined

process.on('message', (request: ProductRequest) => {
  const work = request.type === 'start' ? start(request.environment) : stop().then(() => ({}))
  void work.catch((error: unknown) => ({ error: String(error) })).then((reply: ProductReply) => process.send?.(reply))
})
process.send?.({} satisfies ProductReply)
// The channel closes when the tests end, or are killed.
for (const event of ['disconnect', 'SIGINT', 'SIGTERM'] as const) process.once(event, () => void end())

async function start(environment: NodeJS.ProcessEnv): Promise<ProductReply> {
  for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name]
  Object.assign(process.env, environment)
  const config = readConfig()
  const clickhouseUrl = `chdb:${join(config.data, 'clickhouse')}`
  server = await serve(config, { ...stores, databaseUrl: config.databaseUrl ?? '', clickhouseUrl })
  return { address: server.address }
}

async function stop(): Promise<void> {
  if (!server) return
  await server.stop()
  server = undefined
  const nats = await openNats(stores.natsUrl, { seed: stores.natsCredential })
  for (const name of Object.values(streams)) await nats.jsm.streams.delete(name)
  await nats.close()
}

async function end(): Promise<void> {
  await stop().catch(() => {})
  await stores.stop()
  process.exit()
}
