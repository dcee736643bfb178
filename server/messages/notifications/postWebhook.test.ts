import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { expect, test } from 'vitest'
import type { Role } from '#events/contract/needs.ts'
import { readProxies } from '#events/node/proxy.ts'
import { testProxy } from '#server/platform/testing/proxy.ts'
import type { NotSent } from '#server/platform/mail/notSent.ts'
import { postWebhook } from './postWebhook.ts'
import { refusedAddress, refusedHost } from './refusedAddresses.ts'
import { testReceiver } from './testing.ts'
import { atEndOfFile } from '#server/platform/testing/testFile.ts'

const admin: Role[] = ['ROLE_ADMIN']
const rest = { key: 'key', body: '{}', type: 'application/json', signing: Buffer.from('secret'), roles: [] }
const post = (address: string, roles: Role[] = admin, limit?: number) =>
  postWebhook({ ...rest, address, roles }, limit).then(
    () => ['sent', false],
    ({ message, permanent }: NotSent) => [message, permanent],
  )
const linkLocal = 'must not be a link-local or cloud metadata address'
const inside = 'must not be an internal address; only administrators may use one'

test('the address where machines of a cloud keep their credentials is refused to everyone, however it is written', async () => {
  for (const host of [
    '169.254.169.254',
    '2852039166',
    '0xa9fea9fe',
    '0251.0376.0251.0376',
    '169.254.43518',
    '[::ffff:169.254.169.254]',
    '[::ffff:a9fe:a9fe]',
    '[64:ff9b::169.254.169.254]',
    '[fe80::1]',
    '[fd00:ec2::254]',
    '[fd20:ce::254]',
    '[2002:a9fe:a9fe::1]',
    '168.63.129.16',
  ]) {
    expect([host, refusedHost(`http://${host}/latest`, admin)]).toEqual([host, linkLocal])
    expect(await post(`http://${host}/latest`)).toEqual([`The address of the webhook ${linkLocal}`, true])
  }
})

test("administrators' webhooks reach inner hosts, other users' only public ones", () => {
  for (const address of [
    '127.0.0.1',
    '10.1.2.3',
    '172.16.0.1',
    '192.168.1.1',
    '0.0.0.0',
    '::1',
    '::',
    'fc00::1',
    'fec0::1',
    '::ffff:10.0.0.1',
  ]) {
    expect([address, refusedAddress(address, admin)]).toEqual([address, undefined])
    expect([address, refusedAddress(address, ['ROLE_PROJECT_MANAGER'])]).toEqual([address, inside])
  }
  for (const address of [
    '93.184.215.14',
    '172.32.0.1',
    '2606:2800:21f:cb07:6820:80da:af6b:8b2c',
    '::ffff:93.184.215.14',
  ])
    expect([address, refusedAddress(address, [])]).toEqual([address, undefined])
})

test('a name is judged by the address it has when it is sent', async () => {
  const receiver = await testReceiver()
  const named = receiver.address.replace('127.0.0.1', 'localhost')
  expect(refusedHost(named, [])).toBeUndefined()
  expect(await post(named, [])).toEqual([`The address of the webhook ${inside}`, true])
  expect(receiver.posted).toEqual([])
  expect(await post(named)).toEqual(['sent', false])
  expect(receiver.posted).toHaveLength(1)
})

test('a receiver that hangs, is missing, disconnects or has no name is reported in plain words', async () => {
  const receiver = await testReceiver()
  receiver.answer = undefined
  const { host } = new URL(receiver.address)
  expect(await post(receiver.address, admin, 200)).toEqual([`${host} did not answer within 0.2 seconds`, false])
  const rude = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1')
  await once(rude, 'listening')
  atEndOfFile(() => void rude.close())
  const { port } = rude.address() as AddressInfo
  expect(await post(`http://127.0.0.1:${port}`)).toEqual([`127.0.0.1:${port} closed the connection`, false])
  await new Promise((done) => rude.close(done))
  expect(await post(`http://127.0.0.1:${port}`)).toEqual([`127.0.0.1:${port} refused the connection`, false])
  expect(await post('http://nowhere.invalid/')).toEqual(['There is no host named nowhere.invalid', false])
  expect((await post(receiver.address.replace('http:', 'https:')))[0]).toContain(`${host} could not be reached`)
})

test('a redirect is not followed', async () => {
  const receiver = await testReceiver()
  receiver.answer = 307
  const { host } = new URL(receiver.address)
  expect(await post(receiver.address)).toEqual([`${host} answered 307; redirects are not followed`, false])
  expect(receiver.posted).toHaveLength(1)
})

test('a webhook goes through the proxy, unless its host is known here to be an internal one', async () => {
  const proxy = await testProxy()
  const proxies = readProxies({ HTTP_PROXY: proxy.address })
  await postWebhook({ address: 'http://hooks.example.invalid/a', ...rest }, 5_000, proxies)
  expect(proxy.requests).toEqual(['POST http://hooks.example.invalid/a'])
  const inner = postWebhook({ address: 'http://10.1.2.3/a', ...rest }, 5_000, proxies)
  await expect(inner).rejects.toThrow(inside)
})
