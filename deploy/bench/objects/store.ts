import { countedObjects, startSimulator } from '#agent/systems/s3/simulator/index.ts'
import { account, bucket } from './account.ts'
import type { StoreTold } from './objects.ts'

// A store with one bucket of so many keys, in a process of its own. It sends its URL, and then what it did whenever it is asked.
const [keys] = process.argv.slice(2)
const store = await startSimulator({
  accounts: [account],
  buckets: { [bucket]: { objects: countedObjects(Number(keys)) } },
})
const tell = () => {
  const { user, system } = process.cpuUsage()
  const told: StoreTold = { url: store.url, requests: store.requests.length, processorSeconds: (user + system) / 1e6 }
  process.send?.(told)
}
process.on('message', tell)
process.on('disconnect', () => process.exit(0))
tell()
