import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { expect, test } from 'vitest'
import { type MailServer, sendMail } from './mail.ts'
import type { NotSent } from './notSent.ts'
import { atEndOfFile } from '#server/platform/testing/testFile.ts'

const settings = (port: number, auth: MailServer['auth']): MailServer => ({
  host: '127.0.0.1',
  port,
  from: 'reports@example.org',
  auth,
  usesTls: false,
  requiresTls: false,
  beginsWithTls: false,
})

/** Returns the message for users, and whether it is permanent. */
const reasonOf = (server: MailServer): Promise<[string, boolean]> =>
  sendMail(server, { to: 'ana@example.com', subject: 'Scan', text: 'It ended\n' }).then(
    () => expect.unreachable('It was sent'),
    ({ message, permanent }: NotSent) => [message, permanent],
  )

/** A server with these extensions, which answers all other commands with `answer`. Without extensions, it only knows HELO. */
async function smtpServer(extensions: string[] | undefined, answer: (line: string) => string): Promise<number> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined).write('220 ready\r\n')
    socket.setEncoding('utf8').on('data', (text: string) => {
      const line = text.trim()
      const listed = ['test', ...(extensions ?? [])].map((name) => `250-${name}\r\n`).join('')
      if (line.startsWith('EHLO')) socket.write(extensions ? `${listed}250 OK\r\n` : '502 no\r\n')
      else socket.write(line.startsWith('HELO') ? '250 test\r\n' : `${answer(line)}\r\n`)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  atEndOfFile(() => void server.close())
  return (server.address() as AddressInfo).port
}

const alternatives =
  'Choose the sign-in of Microsoft 365 or Google in the email settings, or use a relay connector or high volume email'
const isOffered: [string[], string, string][] = [
  [
    ['NTLM', 'GSSAPI'],
    '',
    'only offers NTLM, GSSAPI to sign in. DataIntell supports PLAIN, LOGIN, CRAM-MD5 and XOAUTH2. ' +
      'Enable one of these on the mail server, or a connector that accepts mail of this host without a sign-in',
  ],
  [['DIGEST-MD5'], '', 'only offers DIGEST-MD5 to sign in. DataIntell supports PLAIN, LOGIN, CRAM-MD5 and XOAUTH2. '],
  [['XOAUTH2'], '', `only offers XOAUTH2 to sign in, and no password. ${alternatives}`],
  [['NTLM', 'OAUTHBEARER'], '', `only offers NTLM, OAUTHBEARER to sign in, and no password. ${alternatives}`],
  [
    ['LOGIN', 'PLAIN', 'XOAUTH2'],
    '535 5.7.139 Authentication unsuccessful, SmtpClientAuthentication is disabled for the Tenant',
    `accepts no password. ${alternatives}: 535 5.7.139 Authentication unsuccessful, SmtpClientAuthentication is disabled for the Tenant`,
  ],
  [
    ['LOGIN', 'XOAUTH2'],
    '550 5.7.30 Basic authentication is not supported for Client Submission.',
    `accepts no password. ${alternatives}: 550 5.7.30 Basic authentication is not supported`,
  ],
  [['LOGIN'], '535 5.7.8 Bad credentials', 'refused the username or the password: 535 5.7.8 Bad credentials'],
  [
    ['PLAIN', 'NTLM'],
    '454 4.7.0 Temporary failure',
    'refused the username or the password: 454 4.7.0 Temporary failure',
  ],
]

test.each(isOffered)('a server that offers %j and answers %j is reported as such', async (methods, answer, reason) => {
  const signIns: string[] = []
  const port = await smtpServer([`AUTH ${methods.join(' ')}`], (line) => {
    if (line.startsWith('MAIL')) return '530 5.7.57 Client not authenticated'
    signIns.push(line)
    return line === 'AUTH LOGIN' ? '334 VXNlcm5hbWU6' : signIns.length === 2 ? '334 UGFzc3dvcmQ6' : answer
  })
  const [said, isPermanent] = await reasonOf(settings(port, { user: 'ana', password: 'planted' }))
  expect(said).toContain(`The mail server 127.0.0.1:${port} ${reason}`)
  expect(isPermanent).toBe(false)
  // Without a method for it, the password isn't sent.
  expect(signIns.filter((line) => line !== 'QUIT').length > 0).toBe(answer !== '')
})

test('an empty password, and a server that offers no sign-in on this connection, are named as the problem', async () => {
  const login = await smtpServer(['AUTH LOGIN'], () => '502 no')
  const plain = await smtpServer(['AUTH PLAIN'], () => '502 no')
  for (const port of [login, plain])
    expect(await reasonOf(settings(port, { user: 'ana', password: '' }))).toEqual([
      `The mail server 127.0.0.1:${port} requires a password. Set it in the email settings`,
      false,
    ])
  const none = await smtpServer([], () => '530 5.7.0 Must issue a STARTTLS command first')
  expect((await reasonOf(settings(none, { user: 'ana', password: 'right' })))[0]).toBe(
    `The mail server 127.0.0.1:${none} offers no sign-in on this connection. Switch on TLS in the email settings: 530 5.7.0 Must issue a STARTTLS command first`,
  )
})

test('a password is sent by PLAIN if that is offered, and to servers without a list of methods', async () => {
  const expected = `AUTH PLAIN ${Buffer.from('\0ana\0right').toString('base64')}`
  const lines: string[] = []
  const answer = (line: string) => {
    lines.push(line)
    return line.startsWith('AUTH') ? '235 2.7.0 OK' : line.startsWith('MAIL') ? '550 5.1.8 No' : '500 no'
  }
  const auth = { user: 'ana', password: 'right' }
  for (const port of [await smtpServer(['AUTH=PLAIN', 'AUTH PLAIN NTLM'], answer), await smtpServer(undefined, answer)])
    expect((await reasonOf(settings(port, auth)))[0]).toContain('refused the sender: 550')
  expect(lines.filter((line) => line.startsWith('AUTH'))).toEqual([expected, expected])
})
