import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { expect, test } from 'vitest'
import { type MailServer, sendMail } from './mail.ts'
import type { NotSent } from './notSent.ts'
import { certificate } from '#agent/simulator/certificate.ts'
import { mailServerAt, testMailServer } from '#server/platform/testing/mailServer.ts'
import { atEndOfFile } from '#server/platform/testing/testFile.ts'

const mail = {
  to: 'ana@example.com',
  subject: 'Grüße',
  text: 'Line one\nLine two: ünïcode\n',
  messageId: 'job-end-4/7',
}
const settings = (port: number, others?: Partial<MailServer>) => mailServerAt('127.0.0.1', port, others)

/** Returns the message for users, and whether it is retried. */
const reasonOf = async (server: MailServer, limit?: number): Promise<[string, boolean]> => {
  const error = await sendMail(server, mail, limit).then(
    () => expect.unreachable('It was sent'),
    (error: NotSent) => error,
  )
  expect(error.name).toBe('NotSent')
  return [error.message, error.permanent]
}

test('a mail arrives with its words, its sender and the id that tells two tries of it from two mails', async () => {
  const { port, arrived } = await testMailServer()
  await sendMail(settings(port), mail)
  await sendMail(settings(port), mail)
  expect(arrived).toHaveLength(2)
  expect(arrived[0]).toMatchObject({ to: ['ana@example.com'], from: 'reports@example.org', text: mail.text })
  const { subject, from, 'message-id': messageId } = arrived[0]!.headers
  expect(subject).toBe('=?UTF-8?Q?Gr=C3=BC=C3=9Fe?=')
  expect(from).toBe('DataIntell <reports@example.org>')
  expect(messageId).toBe('<job-end-4-7@example.org>')
  expect(arrived[1]!.headers['message-id']).toBe(messageId)
})

test('files arrive byte by byte next to the words, under names of any letters', async () => {
  const { port, arrived } = await testMailServer()
  const bytes = Buffer.from(Array.from({ length: 70_000 }, (_, i) => (i * 7) % 256))
  const files = [
    { name: 'A report.pdf', bytes },
    { name: 'found.csv', bytes: Buffer.from('\ufeffName\r\n"=x"\r\n') },
    { name: 'Grüße.csv', bytes: Buffer.alloc(0) },
  ]
  await sendMail(settings(port), { ...mail, files })
  expect(arrived[0]).toMatchObject({ to: ['ana@example.com'], text: mail.text })
  const [first, second, third] = arrived[0]!.files
  expect([first?.name, first?.type, first?.bytes.equals(bytes)]).toEqual(['A report.pdf', 'application/pdf', true])
  expect([second?.name, second?.type, second?.bytes.toString()]).toEqual([
    'found.csv',
    'text/csv',
    files[1]!.bytes.toString(),
  ])
  expect([third?.name, third?.bytes.length]).toEqual(['Grüße.csv', 0])
})

test('words of a subject or an address cannot add headers or recipients', async () => {
  const { port, arrived } = await testMailServer()
  await sendMail(settings(port), { ...mail, subject: 'One\r\nBcc: eve@example.com\r\n\r\nBody' })
  expect(arrived[0]!.to).toEqual(['ana@example.com'])
  expect(arrived[0]!.headers['bcc']).toBeUndefined()
})

test('a mail server that wants a username and a password gets them, and says when they are wrong', async () => {
  const { port, arrived } = await testMailServer({ user: 'ana', password: 'right' })
  await sendMail(settings(port, { auth: { user: 'ana', password: 'right' } }), mail)
  expect(arrived).toHaveLength(1)
  const where = `The mail server 127.0.0.1:${port}`
  expect(await reasonOf(settings(port, { auth: { user: 'ana', password: 'wrong' } }))).toEqual([
    `${where} refused the username or the password: 535 Invalid login`,
    false,
  ])
  const [unsigned, permanent] = await reasonOf(settings(port))
  expect(unsigned).toMatch(`${where} refused the sender: 530 `)
  expect(permanent).toBe(false)
  expect(arrived).toHaveLength(1)
})

test('a password never goes to a server whose certificate is not valid, and the reason says what to do', async () => {
  let seen = 0
  const { port, arrived } = await testMailServer({ onAuth: (_, __, done) => done(null, { user: String((seen += 1)) }) })
  const secured = settings(port, { requiresTls: true, usesTls: true, auth: { user: 'ana', password: 'right' } })
  const refused =
    `The connection to the mail server 127.0.0.1:${port} is not safe: self-signed certificate. ` +
    'Its certificate must be valid for 127.0.0.1; NODE_EXTRA_CA_CERTS may name an authority of your own'
  expect(await reasonOf(secured)).toEqual([refused, false])
  expect(await reasonOf({ ...secured, requiresTls: false })).toEqual([refused, false])
  expect([seen, arrived.length]).toEqual([0, 0])
  const { port: safe } = await testMailServer({ secure: true })
  expect((await reasonOf(settings(safe, { beginsWithTls: true })))[0]).toBe(refused.replace(`:${port}`, `:${safe}`))
})

test('a certificate that is valid is taken, by STARTTLS and from the first byte', async () => {
  const defaults = getCACertificates('default')
  setDefaultCACertificates([...defaults, certificate.cert])
  atEndOfFile(() => setDefaultCACertificates(defaults))
  const later = await testMailServer()
  const first = await testMailServer({ secure: true })
  await sendMail(settings(later.port, { requiresTls: true }), mail)
  await sendMail(settings(later.port, { usesTls: true }), mail)
  await sendMail(settings(first.port, { beginsWithTls: true }), mail)
  expect([...later.arrived, ...first.arrived].map(({ secure }) => secure)).toEqual([true, true, true])
  await sendMail(settings(later.port), mail)
  expect(later.arrived.at(-1)!.secure).toBe(false)
  setDefaultCACertificates(defaults)
})

test('a server without TLS is refused when TLS is required, and one without it from the first byte is named', async () => {
  const { port, arrived } = await testMailServer({ hideSTARTTLS: true, disabledCommands: ['STARTTLS'] })
  expect((await reasonOf(settings(port, { requiresTls: true })))[0]).toMatch(
    `The mail server 127.0.0.1:${port} offers no TLS, which the settings require: 5`,
  )
  expect(await reasonOf(settings(port, { beginsWithTls: true }))).toEqual([
    `The mail server 127.0.0.1:${port} does not accept TLS on connect`,
    false,
  ])
  expect(arrived).toEqual([])
})

test('a password is sent without TLS only to this machine, or if TLS is off', async () => {
  let seen = 0
  const { port, arrived } = await testMailServer({
    hideSTARTTLS: true,
    disabledCommands: ['STARTTLS'],
    onAuth: (_, __, done) => done(null, { user: String((seen += 1)) }),
  })
  const auth = { user: 'ana', password: 'right' }
  // An address of this machine that is not one of its loopback.
  const [reason] = await reasonOf(settings(port, { host: '0.0.0.0', auth, usesTls: true }))
  expect(reason).toMatch(`The mail server 0.0.0.0:${port} offers no TLS, which the settings require: 5`)
  expect([seen, arrived.length]).toEqual([0, 0])
  await sendMail(settings(port, { host: '0.0.0.0', usesTls: true }), mail)
  await sendMail(settings(port, { auth, usesTls: true }), mail)
  await sendMail(settings(port, { host: '0.0.0.0', auth }), mail)
  expect([seen, arrived.length]).toEqual([2, 3])
})

test('a permanent refusal of a server is about the recipient or the mail, and nothing else', async () => {
  let refusal: { at: 'recipient' | 'mail' | 'sender'; code: number; text: string } | undefined
  const { port } = await testMailServer({ refuses: () => refusal })
  const where = `The mail server 127.0.0.1:${port} refused`
  const cases: [typeof refusal, string, boolean][] = [
    [{ at: 'recipient', code: 550, text: 'No such user' }, `${where} the recipient: 550 No such user`, true],
    [{ at: 'recipient', code: 450, text: 'Greylisted' }, `${where} the recipient: 450 Greylisted`, false],
    [{ at: 'mail', code: 554, text: 'Spam' }, `${where} the mail: 554 Spam`, true],
    [{ at: 'mail', code: 452, text: 'Disk full' }, `${where} the mail: 452 Disk full`, false],
    [{ at: 'sender', code: 553, text: 'Not yours' }, `${where} the sender: 553 Not yours`, false],
  ]
  for (const [response, reason, permanent] of cases) {
    refusal = response
    expect(await reasonOf(settings(port))).toEqual([reason, permanent])
  }
})

test('a server that is missing, hangs, disconnects or has no name is reported in plain words', async () => {
  const { port, stop } = await testMailServer()
  await stop()
  expect(await reasonOf(settings(port))).toEqual([`The mail server 127.0.0.1:${port} refused the connection`, false])
  const silent = await listening(() => undefined)
  expect(await reasonOf(settings(silent), 300)).toEqual([
    `The mail server 127.0.0.1:${silent} did not answer within 0.3 seconds`,
    false,
  ])
  const dribbling = await listening((socket) => {
    const timer = setInterval(() => socket.write('220-and more\r\n'), 20)
    socket.on('close', () => clearInterval(timer))
  })
  expect((await reasonOf(settings(dribbling), 300))[0]).toContain('did not answer within 0.3 seconds')
  const rude = await listening((socket) => void socket.end())
  expect((await reasonOf(settings(rude)))[0]).toBe(`The mail server 127.0.0.1:${rude} closed the connection`)
  expect(await reasonOf({ ...settings(25), host: 'nowhere.invalid' })).toEqual([
    'There is no mail server named nowhere.invalid',
    false,
  ])
})

test('the name of the greeting is the configured one, and a refused one is named as the problem', async () => {
  const { port, arrived } = await testMailServer({
    onMailFrom: (_, { hostNameAppearsAs }, done) =>
      done(
        hostNameAppearsAs === 'data.example.com'
          ? null
          : Object.assign(new Error(`<${hostNameAppearsAs}>: Helo command rejected: need fully-qualified hostname`), {
              responseCode: 504,
            }),
      ),
  })
  const where = `The mail server 127.0.0.1:${port}`
  expect(await reasonOf(settings(port, { ehloName: '[127.0.0.1]' }))).toEqual([
    `${where} refused the name of this server. Enter a full EHLO name in the email settings: 504 <[127.0.0.1]>: Helo command rejected: need fully-qualified hostname`,
    false,
  ])
  await sendMail(settings(port, { ehloName: 'data.example.com' }), mail)
  expect(arrived).toHaveLength(1)
  const strict = await listening((socket) => {
    socket.write('220 ready\r\n')
    socket.on('data', () => socket.end('421 4.7.0 Try again later, closing connection. (EHLO)\r\n'))
  })
  expect((await reasonOf(settings(strict)))[0]).toContain('refused the name of this server. Enter a full EHLO name')
})

test('a mail that is too large for the server says so, whether the limit is announced or not', async () => {
  const files = [{ name: 'found.csv', bytes: Buffer.alloc(50_000) }]
  const tooLarge = async (port: number) =>
    sendMail(settings(port), { ...mail, files }).catch(({ message, permanent, isTooLarge }: NotSent) => ({
      message,
      permanent,
      isTooLarge,
    }))
  const announced = await testMailServer({ size: 20_000 })
  expect(await tooLarge(announced.port)).toEqual({
    message: expect.stringMatching(/does not accept emails of this size: .*20000/),
    permanent: true,
    isTooLarge: true,
  })
  const silent = await testMailServer({
    hideSize: true,
    refuses: () => ({ at: 'mail', code: 552, text: '5.3.4 Message size exceeds fixed limit' }),
  })
  expect(await tooLarge(silent.port)).toMatchObject({ permanent: true, isTooLarge: true })
  await sendMail(settings(announced.port), mail)
  expect(announced.arrived).toHaveLength(1)
  const full = await testMailServer({ refuses: () => ({ at: 'mail', code: 552, text: '5.2.2 Mailbox full' }) })
  expect(await tooLarge(full.port)).toMatchObject({ isTooLarge: false })
})

async function listening(met: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined))
    met(socket)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  atEndOfFile(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return (server.address() as AddressInfo).port
}
