import { countedObjects, startSimulator } from '#agent/systems/s3/simulator/index.ts'
import { account, bucket } from './account.ts'
import type { StoreReport } from './objects.ts'

// A store with one bucket of that many keys, in a separate process. Sends its URL, and its statistics on request.
const [keys] = process.argv.slice(2)
const store = await startSimulator({
  accounts: [account],
  buckets: { [bucket]: { objects: countedObjects(Number(keys)) } },
})
const tell = () => {
  const { user, system } = process.cpuUsage()
  const report: StoreReport = {
    url: store.url,
    requests: store.requests.length,
    processorSeconds: (user + system) / 1e6,
  }
  process.send?.(report)
}
process.on('message', tell)
process.on('disconnect', () => process.exit(0))
tell()
