import { once } from 'node:events'
import { expect, test } from 'vitest'
import type { TLSSocket } from 'node:tls'
import { certificate } from '#agent/simulator/certificate.ts'
import { readConfig } from '#server/platform/config.ts'
import type { NotSent } from '#server/platform/mail/notSent.ts'
import { testFolder } from '#server/platform/testing/stores.ts'
import { atEndOfFile } from '#server/platform/testing/testFile.ts'
import { startDatagramReceiver, startHttpReceiver, startSyslogReceiver } from './testing/receivers.ts'
import { type Target, transmit } from './transmit.ts'

const config = readConfig({ DATAINTELL_DATA: testFolder('data') })
const send = (changes: Partial<Target>, body: string | string[], limit = 2_000) =>
  transmit(
    config,
    { kind: 'SYSLOG_TLS', address: '', secret: null, header: null, authority: certificate.cert, ...changes },
    { key: 'key', body: [body].flat().join('\n') },
    limit,
  ).catch(({ message, retryAfterMs }: NotSent) => ({ message, ...(retryAfterMs !== undefined && { retryAfterMs }) }))
const confirmed = { confirms: true, refused: 0 }

async function syslogReceiver(opened?: (socket: TLSSocket) => boolean) {
  const received: string[] = []
  const faults: Error[] = []
  const { server, port } = await startSyslogReceiver((message) => received.push(message), {
    ...(opened && { opened }),
    broken: (fault) => faults.push(fault),
  })
  atEndOfFile(() => server.close())
  return { address: `127.0.0.1:${port}`, received, faults, server }
}

// fluent/fluentd#2982: the length counts bytes of the message, without the space. Aiven-Open/journalpump#193: of the message as it is sent.
test('each message has its length in bytes in front, for letters of any alphabet', async () => {
  const { address, received, faults } = await syslogReceiver()
  const messages = [
    '<1>1 plain',
    '<1>1 wörld 🎬',
    `<1>1 ${'x'.repeat(100_000)}`,
    ...Array.from({ length: 500 }, (_, i) => `${i} ü`),
  ]
  expect(await send({ address }, messages)).toEqual(confirmed)
  expect(received).toEqual(messages)
  expect(faults).toEqual([])
})

// rsyslog/rsyslog#3929 and #939: the first message after a restart of the receiver went into a closed connection.
test('a receiver that restarts between two batches loses none', async () => {
  const { address, received, server } = await syslogReceiver()
  expect(await send({ address }, ['first'])).toEqual(confirmed)
  await new Promise((done) => server.close(done))
  expect(await send({ address }, ['second'])).toEqual({ message: `${address} refused the connection` })
  await once(server.listen(Number(address.split(':')[1]), '127.0.0.1'), 'listening')
  expect(await send({ address }, ['second'])).toEqual(confirmed)
  expect(received).toEqual(['first', 'second'])
})

test('a receiver that closes the connection with unread data has not accepted it', async () => {
  const { address } = await syslogReceiver((socket) => {
    socket.pause()
    setTimeout(() => socket.destroy(), 50)
    return false
  })
  const outcome = await send({ address }, ['x'.repeat(3_000_000)])
  expect(outcome).toEqual({ message: expect.stringMatching(/closed the connection/) })
})

test('a receiver that only closes the connection accepts without confirming', async () => {
  // Without the end of TLS, as rsyslog with GnuTLS does.
  const wires = new Set<{ end(): unknown }>()
  const { address, received, server } = await syslogReceiver((socket) => {
    socket.on('end', () => undefined)
    return true
  })
  server.on('connection', (wire) => wires.add(wire))
  server.on('secureConnection', (socket: TLSSocket) => {
    socket.allowHalfOpen = true
    socket.on('end', () => wires.forEach((wire) => wire.end()))
  })
  expect(await send({ address }, ['one'])).toMatchObject({ confirms: false, refused: 0 })
  expect(received).toEqual(['one'])
})

test('a receiver that accepts the connection and never reads fails after the time limit', async () => {
  const { address } = await syslogReceiver((socket) => {
    socket.pause()
    return false
  })
  expect(await send({ address }, ['x'], 300)).toEqual({ message: `${address} did not answer within 0.3 seconds` })
  const { port } = await startHttpReceiver(() => undefined)
  const silent = `https://127.0.0.1:${port}/v1/logs`
  expect(await send({ kind: 'OTLP', address: silent }, '{}', 300)).toEqual({
    message: `127.0.0.1:${port} did not answer within 0.3 seconds`,
  })
})

test('a certificate that is not trusted, or of another host, is refused, and nothing is sent', async () => {
  const { address, received } = await syslogReceiver()
  expect(await send({ address, authority: null }, 'x')).toEqual({
    message: `${address} could not be reached: self-signed certificate`,
  })
  const other = address.replace('127.0.0.1', '127.0.0.2')
  const { server, port } = await startSyslogReceiver((message) => received.push(message))
  server.close()
  await once(server.listen(port, '127.0.0.2'), 'listening')
  expect(await send({ address: `127.0.0.2:${port}` }, 'x')).toEqual({
    message: expect.stringContaining("127.0.0.2 is not in the cert's list"),
  })
  server.close()
  expect(await send({ address: other }, 'x')).toEqual({ message: `${other} refused the connection` })
  expect(received).toEqual([])
})

test('an unknown host, and addresses where clouds keep keys, are refused with the reason', async () => {
  const message = 'The address of the destination must not be a link-local or cloud metadata address'
  for (const kind of ['SYSLOG_TLS', 'SYSLOG_UDP'] as const) {
    expect(await send({ kind, address: 'nowhere.invalid:6514' }, 'x')).toEqual({
      message: 'There is no host named nowhere.invalid',
    })
    expect(await send({ kind, address: '169.254.169.254:514' }, 'x')).toEqual({ message })
    expect(await send({ kind, address: '[::ffff:a9fe:a9fe]:514' }, 'x')).toEqual({ message })
  }
  expect(await send({ kind: 'OTLP', address: 'http://169.254.169.254/' }, 'x')).toEqual({
    message: message.replace('destination', 'webhook'),
  })
})

test('datagrams have one message each, and a port where nothing listens is noticed', async () => {
  const received: string[] = []
  const { socket, port } = await startDatagramReceiver((message) => received.push(message))
  const target = { kind: 'SYSLOG_UDP', address: `127.0.0.1:${port}` } as const
  const messages = Array.from({ length: 100 }, (_, i) => `<1>1 ${i} ü`)
  expect(await send(target, messages)).toEqual({ confirms: false, refused: 0 })
  await expect.poll(() => received).toEqual(messages)
  socket.close()
  expect(await send(target, messages)).toEqual({ message: `127.0.0.1:${port} refused the connection` })
})

// open-telemetry/opentelemetry-proto#470: records that were refused in an accepted batch must not be sent again.
test('a receiver of OTLP gets the secret in its header, and may refuse some records, which is reported', async () => {
  const answers = ['{}', '', '{"partialSuccess":{"rejectedLogRecords":"2","errorMessage":"too\\nold"}}', 'no JSON']
  answers.push(JSON.stringify({ partialSuccess: { errorMessage: 'old '.repeat(25_000), rejectedLogRecords: 3 } }))
  const got: unknown[] = []
  const { port } = await startHttpReceiver(({ headers, url, body }, response) => {
    got.push([url, headers['x-key'], headers['content-type'], headers['idempotency-key'], body])
    response.end(answers.shift())
  })
  const target = {
    kind: 'OTLP',
    address: `https://127.0.0.1:${port}/v1/logs`,
    header: 'X-Key',
    secret: 'secret 1',
  } as const
  expect(await send(target, '{}')).toEqual(confirmed)
  expect(got).toEqual([['/v1/logs', 'secret 1', 'application/json', 'key', '{}']])
  expect(await send(target, '{}')).toEqual(confirmed)
  expect(await send(target, '{}')).toEqual({ confirms: true, refused: 2, reason: 'too old' })
  expect(await send(target, '{}')).toEqual(confirmed)
  expect(await send(target, '{}')).toMatchObject({ refused: 3, reason: expect.stringMatching(/^old old/) })
})

test('statuses other than 2xx are failures, with the wait that the receiver wants', async () => {
  const { port } = await startHttpReceiver(
    ({ url }, response) =>
      response.writeHead(Number(url.slice(1)), { 'Retry-After': '7', Location: '/' }).end('{"message":"busy"}'),
    { isPlain: true },
  )
  const of = (status: number) =>
    send({ kind: 'WEBHOOK', address: `http://127.0.0.1:${port}/${status}`, authority: null }, '[]')
  expect(await of(429)).toEqual({ message: `127.0.0.1:${port} answered 429: busy`, retryAfterMs: 7_000 })
  expect(await of(503)).toMatchObject({ retryAfterMs: 7_000 })
  expect(await of(500)).toEqual({ message: `127.0.0.1:${port} answered 500: busy` })
  expect(await of(413)).toEqual({ message: `127.0.0.1:${port} answered 413: busy` })
  expect(await of(302)).toMatchObject({ message: expect.stringContaining('redirects are not followed') })
})
