import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { livePath } from '#events/live.ts'
import type { Random } from '#server/content/snapshots/oracle/random.ts'
import { damaged, shown, withOneOdd } from './mutate.ts'
import type { Fuzzer, Target } from './target.ts'

const messages = [
  { type: 'subscribe', topic: 'dashboard' },
  { type: 'subscribe', topic: 'log', after: 0 },
  { type: 'subscribe', topic: 'job-1', after: 1 },
  { type: 'subscribe', topic: 'jobs' },
  { type: 'unsubscribe', topic: 'log' },
]

/** Odd messages and broken frames on the WebSocket of an administrator. */
export function socketFrames(target: Target): Fuzzer {
  return {
    async send(random) {
      const frames = Array.from({ length: 1 + random.below(4) }, () => oddFrame(random))
      const socket = await opened(target)
      if (socket === undefined) return { input: 'socket', answer: 'too many' }
      for (const frame of frames) if (socket.writable) socket.write(frame)
      await pause(20)
      socket.destroy()
      return { input: `socket ${frames.map(shown).join(' ')}` }
    },
  }
}

function oddFrame(random: Random): Buffer {
  const message = random.pick(messages)
  const text = Buffer.from(JSON.stringify(random.chance(0.7) ? withOneOdd(random, message) : message))
  const payload = random.chance(0.2) ? damaged(random, text) : text
  const opcode = random.chance(0.8) ? 1 : random.below(16)
  const isWhole = random.chance(0.9)
  const frame = frameOf(payload, { opcode, first: isWhole ? 0x80 : random.pick([0, 0x40, 0x70, 0xf0]) })
  return random.chance(0.2) ? damaged(random, frame) : frame
}

/** A masked frame. `first` has the bits before the opcode. */
function frameOf(payload: Buffer, { opcode, first }: { opcode: number; first: number }): Buffer {
  const { length } = payload
  const head = length < 126 ? [0x80 | length] : length < 65_536 ? [0x80 | 126, length >> 8, length & 255] : []
  const long = Buffer.alloc(length < 65_536 ? 0 : 9)
  if (long.length > 0) {
    long[0] = 0x80 | 127
    long.writeBigUInt64BE(BigInt(length), 1)
  }
  // A mask of zeros leaves the payload readable.
  return Buffer.concat([Buffer.from([first | opcode, ...head]), long, Buffer.alloc(4), payload])
}

/** An open WebSocket, or undefined if there are too many. */
async function opened({ product, session }: Target): Promise<Socket | undefined> {
  const { host, hostname, port, origin } = new URL(product.address)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  const head = [
    `GET ${livePath} HTTP/1.1`,
    `Host: ${host}`,
    `Origin: ${origin}`,
    `Cookie: ${await session()}`,
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n`)
  const [first] = (await once(socket, 'data', { signal: AbortSignal.timeout(10_000) })) as [Buffer]
  socket.resume()
  if (!first.toString('latin1').startsWith('HTTP/1.1 101')) {
    socket.destroy()
    if (first.toString('latin1').startsWith('HTTP/1.1 429')) return undefined
    throw new Error(`A correct upgrade was answered with ${first.toString('latin1', 0, 200)}`)
  }
  return socket
}
