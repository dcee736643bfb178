import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { headers, type Msg } from 'nats'

const compressed = promisify(gzip)

/** Size in bytes from which answers are compressed. */
const compressedFrom = 100_000

/** Answers a request of the server. Throws if the answer does not fit into a message, which NATS limits to 1 MiB. */
export async function respond(message: Msg, answer: unknown): Promise<void> {
  const text = Buffer.from(JSON.stringify(answer))
  if (text.length < compressedFrom) {
    message.respond(text)
    return
  }
  const marked = headers()
  marked.set('Content-Encoding', 'gzip')
  message.respond(await compressed(text), { headers: marked })
}
