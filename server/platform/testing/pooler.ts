import { connect, createServer, type Socket } from 'node:net'
import { Client } from 'pg'
import { testDatabaseUrl } from './stores.ts'
import { atEndOfFile, testPort } from './testFile.ts'

/** Parameters of a start that PgBouncer accepts; it refuses all others. */
const known = ['user', 'database', 'client_encoding', 'datestyle', 'timezone', 'application_name']

/**
 * A pooler as PgBouncer in front of the test file's database; returns its address. `session` gives each client a
 * connection of its own, `transaction` gives the connection that was used last to the next client that begins a transaction.
 */
export async function testPooler(mode: 'session' | 'transaction'): Promise<string> {
  const url = new URL(await testDatabaseUrl())
  const idle: Socket[] = []
  const clients: Client[] = []
  const take = async () => idle.pop() ?? (await openBackend(url.href, clients))
  const pooler = createServer((near) => {
    near.on('error', () => {})
    near.once('data', (start: Buffer) => {
      const unknown = parametersOf(start).find((name) => !known.includes(name))
      if (unknown !== undefined) return near.end(refusal(`unsupported startup parameter: ${unknown}`))
      if (mode === 'transaction') return share(near, take, idle)
      const far = connect(Number(url.port), url.hostname)
      far.on('error', () => near.destroy())
      far.write(start)
      near.pipe(far).pipe(near)
    })
  })
  const port = await testPort(pooler)
  atEndOfFile(() => Promise.all(clients.map((client) => client.end())))
  return Object.assign(new URL(url), { hostname: '127.0.0.1', port }).href
}

/** Names in the first message of a client: its length, the version of the protocol, then names and values. */
const parametersOf = (start: Buffer): string[] =>
  start
    .subarray(8)
    .toString()
    .split('\0')
    .filter((name, at) => at % 2 === 0 && name !== '')

/** A connection after its sign-in, whose messages only the pooler reads. */
async function openBackend(url: string, clients: Client[]): Promise<Socket> {
  const client = new Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  clients.push(client)
  const { stream } = (client as Client & { connection: { stream: Socket } }).connection
  return stream.removeAllListeners('data')
}

/** Gives the client a connection while it has a transaction. */
function share(near: Socket, take: () => Promise<Socket>, idle: Socket[]): void {
  near.write(Buffer.concat([message('R', Buffer.alloc(4)), message('Z', Buffer.from('I'))]))
  let taken: Promise<Socket> | undefined
  near.on('data', (bytes: Buffer) => {
    if (bytes.toString('latin1', 0, 1) === 'X') return near.end()
    taken ??= take().then((far) => {
      let rest = Buffer.alloc(0)
      far.on('data', (answer: Buffer) => {
        near.write(answer)
        rest = Buffer.concat([rest, answer])
        for (; rest.length >= 5 && rest.length > rest.readInt32BE(1); rest = rest.subarray(1 + rest.readInt32BE(1))) {
          if (rest.toString('latin1', 0, 1) !== 'Z' || rest.toString('latin1', 5, 6) !== 'I') continue
          taken = undefined
          idle.push(far.removeAllListeners('data'))
        }
      })
      return far
    })
    void taken.then((far) => far.write(bytes))
  })
}

function message(tag: string, body: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeInt32BE(body.length + 4)
  return Buffer.concat([Buffer.from(tag), length, body])
}

const refusal = (text: string): Buffer => message('E', Buffer.from(`SFATAL\0C08P01\0M${text}\0\0`))
