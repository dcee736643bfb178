import { gzipSync } from 'node:zlib'
import { headers, type Msg } from 'nats'
import { subjects } from '#events/subjects.ts'
import { newRandom } from '#server/content/snapshots/oracle/random.ts'
import { messagesOf, openAgent } from '../agentMessages.ts'
import type { Fuzzer, Target } from '../target.ts'
import { type Lane, newLane } from './proxy.ts'
import { asked, type Trigger } from './systems.ts'

const look = {
  reason: null,
  field: null,
  isEmpty: false,
  folders: ['a', 'b'],
  hasMore: false,
  notEntered: [{ path: '/a', reason: 'fileSystem', detail: 'proc' }],
  realPath: '/a',
  mountsAbove: ['/'],
  snapshotRules: ['/.snapshot'],
}
const plan = { planId: '1', planName: 'a', index: 'b', deleteFiles: false, deleteAll: false, storage: 'c' }
const refused = {
  failure: { message: 'not here', debugMessage: '' },
  collections: [],
  storages: [],
  folders: [],
  file: null,
}

/** Correct answers by the last word of their subjects. The built-in agent gets questions about other systems after a refusal. */
const correct: Record<string, object> = {
  look,
  archiware: { failure: null, names: ['a', 'b'], plans: [plan] },
}

/** Size from which an agent compresses answers, and the largest message of NATS with its headers. */
const packedFrom = 500_000
const maxBytes = 1_000_000

/** An agent with its own key that changes its answers. `messages` sends odd messages of the same kind of agent. */
export async function startRogue(
  target: Target,
): Promise<{ triggers: Trigger[]; messages: Fuzzer; close(): Promise<void> }> {
  const opened = await openAgent(target)
  const { agent } = opened
  const lane = newLane()
  agent.nats.connection.subscribe(subjects.allRequests(agent.id), {
    callback: (_, message) => answer(lane, message),
  })
  const { product, folder } = target
  const p5 = { name: 'rogue', url: 'http://127.0.0.1:9', username: 'a', password: 'b' }
  const { id } = (await product.call('POST', '/v1/archiwares/credentials', p5)).answer as { id: number }
  return {
    triggers: [
      asked({ lane }, 90, 'POST', '/v1/storages/folders', { serverId: agent.id, path: folder }),
      asked({ lane }, 90, 'GET', `/v1/archiwares/credentials/${id}/indexes?serverId=${agent.id}`),
    ],
    messages: messagesOf(opened),
    close: opened.close,
  }
}

function answer(lane: Lane, message: Msg): void {
  const known = correct[message.subject.split('.').at(-1) ?? '']
  const whole = Buffer.from(JSON.stringify(known ?? refused))
  const next = known && lane.next()
  if (!next) return void message.respond(whole)
  const { change, count } = next
  const random = newRandom(change.seed + count)
  const { body, headers: sent } = change.mutation.change(
    { status: 200, headers: {}, body: whole },
    { random, count, url: '', trap: '' },
  )
  const isPacked = 'content-encoding' in sent
  const bytes = isPacked || body.length < packedFrom ? body : gzipSync(body, { level: 1 })
  const marked = headers()
  if (isPacked || bytes !== body) marked.set('Content-Encoding', 'gzip')
  message.respond(bytes.subarray(0, maxBytes), { headers: marked })
}
