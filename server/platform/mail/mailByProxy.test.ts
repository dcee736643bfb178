import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { expect, onTestFinished, test } from 'vitest'
import { readProxies } from '#events/node/proxy.ts'
import { certificate } from '#agent/simulator/certificate.ts'
import { mailServerAt, testMailServer } from '#server/platform/testing/mailServer.ts'
import { testProxy } from '#server/platform/testing/proxy.ts'
import { type MailServer, sendMail } from './mail.ts'

const mail = { to: 'ana@example.com', subject: 'Scan', text: 'It ended\n' }
const send = (server: MailServer, environment: NodeJS.ProcessEnv) =>
  sendMail(server, mail, 20_000, readProxies(environment))

test('mails go through the proxy of the environment, whose name service finds the mail server', async () => {
  const { port, arrived } = await testMailServer()
  const proxy = await testProxy({ target: port })
  await send(mailServerAt('mail.invalid', 587), { HTTPS_PROXY: proxy.address, HTTP_PROXY: 'http://127.0.0.1:1' })
  expect(arrived.map(({ to }) => to)).toEqual([['ana@example.com']])
  expect(proxy.requests).toEqual(['CONNECT mail.invalid:587'])
})

test('through a proxy, too, the certificate must match the mail server', async () => {
  const defaults = getCACertificates('default')
  setDefaultCACertificates([...defaults, certificate.cert])
  onTestFinished(() => setDefaultCACertificates(defaults))
  for (const secure of [false, true]) {
    const { port, arrived } = await testMailServer({ secure })
    const proxy = await testProxy({ target: port })
    const server = mailServerAt('mail.invalid', port, secure ? { beginsWithTls: true } : { requiresTls: true })
    await expect(send(server, { HTTPS_PROXY: proxy.address })).rejects.toThrow(
      "is not safe: Hostname/IP does not match certificate's altnames: Host: mail.invalid",
    )
    expect(arrived).toEqual([])
  }
})

test('mail servers of NO_PROXY and of this machine are reached directly', async () => {
  const { port, arrived } = await testMailServer()
  const proxy = await testProxy()
  const environment = { HTTPS_PROXY: proxy.address, NO_PROXY: '.corp.invalid' }
  await send(mailServerAt('127.0.0.1', port), environment)
  await expect(send(mailServerAt('mail.corp.invalid', 25), environment)).rejects.toThrow(
    /^There is no mail server named mail\.corp\.invalid$/,
  )
  expect([arrived.length, proxy.requests]).toEqual([1, []])
})

test('a mail server to which the proxy does not connect is reached directly', async () => {
  const { port, arrived } = await testMailServer()
  const proxy = await testProxy({ status: 403 })
  // An address of this machine that is not one of its loopback.
  await send(mailServerAt('0.0.0.0', port), { HTTPS_PROXY: proxy.address })
  expect([arrived.length, proxy.requests]).toEqual([1, [`CONNECT 0.0.0.0:${port}`]])
})

test('if neither works, the reason names both', async () => {
  const { host } = new URL((await testProxy({ status: 403 })).address)
  await expect(send(mailServerAt('mail.invalid', 25), { HTTPS_PROXY: `http://ana:secret@${host}` })).rejects.toThrow(
    `There is no mail server named mail.invalid. The proxy ${host} in HTTPS_PROXY did not connect to mail.invalid (status 403)`,
  )
})
