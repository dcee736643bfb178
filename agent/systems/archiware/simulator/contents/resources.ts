const newPlan = (id: string) => ({
  id,
  name: `Plan ${id}`,
  isEnabled: true,
  index: 'Default-Archive',
  pool: 'Archive',
  /** Files with the size and time of their latest generation are not archived again. */
  isIncremental: false,
  deletesFiles: false,
  /** Deletes also folders that are empty. */
  deletesAll: false,
})
/** Plan of a server. Its jobs delete their sources if one of the two settings says so. */
export type Plan = ReturnType<typeof newPlan>

const newClient = (name: string) => ({
  name,
  description: '',
  hostname: '127.0.0.1',
  isOnline: true,
  /**
   * Folders of this machine by the paths that the client has for them, such as {'/mnt/media': '/tmp/media'}. Without any, each path of
   * the client is a file of 1,000 bytes and also an existing directory, and nothing is written.
   */
  folders: undefined as Record<string, string> | undefined,
})
/** Client of a server, a machine whose file systems it archives. */
export type Client = ReturnType<typeof newClient>

const newVolume = (id: string) => ({ id, label: `Archive.${id}`, isOnline: true })

/** Resources of a server by their ids, and the addition of one with changes of its defaults. */
function newResources<T>(make: (id: string) => T) {
  const all = new Map<string, T>()
  const add = (id: string, changes: Partial<T> = {}): T => {
    const added = { ...make(id), ...changes }
    all.set(id, added)
    return added
  }
  return { all, add }
}

/** Plan 10001, client `localhost` and volume 10101, whom others may join. All jobs write to that volume. */
export function firstResources() {
  const [plans, clients, volumes] = [newResources(newPlan), newResources(newClient), newResources(newVolume)]
  plans.add('10001', { name: 'Archive media' })
  clients.add('localhost', { description: 'This server' })
  volumes.add(writtenVolume, { label: 'Archive.0001' })
  return {
    plans: plans.all,
    clients: clients.all,
    volumes: volumes.all,
    addPlan: plans.add,
    addClient: clients.add,
    addVolume: volumes.add,
  }
}

export const writtenVolume = '10101'
