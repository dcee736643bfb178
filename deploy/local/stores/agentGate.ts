import type { Socket } from 'node:net'
import { networkOf } from '#server/platform/callers/guessing.ts'

/** Maximum number of connections: signed in with the key of an agent, in total and per network, and not yet. */
type Limits = { agents: number; agentsOfNetwork: number; strangers: number; strangersOfNetwork: number }

const defaults: Limits = { agents: 1_000, agentsOfNetwork: 100, strangers: 200, strangersOfNetwork: 20 }

type Connection = { socket: Socket; network: string; isSignedIn: boolean }

/**
 * Admits connections of agents. Those that haven't presented the key of an agent are few, and yield: a further one ends the
 * oldest of its own network or, if there are too many in total, the oldest of the network that has most of them. So neither
 * many connections of one network nor a few of many networks keep an agent out. They never end connections of agents
 * that have signed in. A network is an IPv4 address or the first 64 bits of an IPv6 address.
 */
export function openAgentGate({ agents, agentsOfNetwork, strangers, strangersOfNetwork }: Limits = defaults) {
  // In the order of their arrival.
  const connected = new Set<Connection>()
  const all = (isSignedIn: boolean) => [...connected].filter((one) => one.isSignedIn === isSignedIn)
  const drop = (one: Connection | undefined) => {
    if (!one) return
    connected.delete(one)
    one.socket.destroy()
  }
  const makeRoom = (network: string) => {
    const waiting = all(false)
    const own = waiting.filter((one) => one.network === network)
    if (own.length >= strangersOfNetwork) return drop(own[0])
    if (waiting.length >= strangers) drop(oldestOfLargest(waiting))
  }
  return {
    /** Admits a connection. Call `signedIn` once it has presented a valid key: it is ended if there are too many such. */
    admit(socket: Socket): { signedIn: () => void } {
      const network = networkOf((socket.remoteAddress ?? '').replace(/^::ffff:(?=\d+\.)/, ''))
      makeRoom(network)
      const connection: Connection = { socket, network, isSignedIn: false }
      connected.add(connection)
      socket.on('close', () => connected.delete(connection))
      return {
        signedIn() {
          if (connection.isSignedIn || !connected.has(connection)) return
          const others = all(true)
          const ofNetwork = others.filter((one) => one.network === network)
          if (others.length >= agents || ofNetwork.length >= agentsOfNetwork) return drop(connection)
          connection.isSignedIn = true
        },
      }
    },
    end() {
      for (const { socket } of connected) socket.destroy()
    },
  }
}

/** The oldest connection of the network that has most; of equal ones that with the oldest connection. */
function oldestOfLargest(waiting: readonly Connection[]): Connection | undefined {
  const [largest] = [...Map.groupBy(waiting, ({ network }) => network).values()].toSorted((a, b) => b.length - a.length)
  return largest?.[0]
}
