import { request } from 'node:https'
import { connect, type TLSSocket } from 'node:tls'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { certificate } from '#agent/simulator/certificate.ts'
import { ask, simulator } from './testing.ts'

test('a wrong password gets status 400 and a sentence, and no secret is recorded', async () => {
  const p5 = await simulator()
  const answer = { status: 400, body: 'Wrong username or password.' }
  expect(await ask(p5, 'GET general/clients/localhost', { password: 'wrong' })).toEqual(answer)
  expect(await ask(p5, 'GET general/clients/localhost?x=1')).toMatchObject({ status: 200, body: { ID: 'localhost' } })
  const paths = p5.requests.map(({ method, path, status }) => `${method} ${path} ${status}`)
  expect(paths).toEqual([
    'GET /rest/v1/general/clients/localhost 400',
    'GET /rest/v1/general/clients/localhost?x=1 200',
  ])
  expect(JSON.stringify(p5.requests)).not.toContain('Basic')
})

test('a port with TLS shows its certificate, and answers plain HTTP with status 400', async () => {
  const p5 = await simulator({ tls: certificate })
  expect(await ask(p5, 'GET general/clients/localhost')).toMatchObject({ status: 200 })
  expect(await ask(p5, 'GET general/clients/localhost', { base: p5.plainUrl })).toMatchObject({ status: 200 })
  expect(await ask(p5, 'GET general/clients/localhost', { base: p5.url.replace('https', 'http') })).toMatchObject({
    status: 400,
  })
  const socket = connect({ port: Number(new URL(p5.url).port), rejectUnauthorized: false })
  await once(socket, 'secureConnect')
  expect((socket as TLSSocket).getPeerCertificate().fingerprint256).toBe(p5.fingerprint)
  socket.destroy()
  const refused = once(request(p5.url).end(), 'response')
  await expect(refused).rejects.toThrow('self-signed certificate')
})

test('lists have IDs and links without a scheme, and names are in details only', async () => {
  const p5 = await simulator()
  p5.addPlan('10002', { name: 'Archive and delete', index: 'Media', deletesFiles: true })
  const { body } = await ask(p5, 'GET archive/plans')
  const links = [{ rel: 'self', href: 'p5.example:8000/rest/v1/archive/plans/10002' }]
  expect(body.plans[1]).toEqual({ ID: '10002', links })
  for (const name of ['clients', 'jobs'])
    expect(await ask(p5, `GET general/${name}`)).toMatchObject({ status: 200, body: { [name]: expect.any(Array) } })
  const plan = (await ask(p5, 'GET archive/plans/10002')).body
  expect(plan).toMatchObject({ description: 'Archive and delete', enabled: '1', database: 'Media', deletefiles: '1' })
  expect(await ask(p5, 'GET archive/plans/1')).toEqual({ status: 404, body: {} })
  expect(await ask(p5, 'GET archive/Plans')).toEqual({ status: 404, body: {} })
})

test('properties, booleans and numbers have the spelling of the switches, and missing values are <empty>', async () => {
  const p5 = await simulator()
  p5.addVolume('10102')
  const volume = async () => (await ask(p5, 'GET general/volumes/10102')).body
  expect(await volume()).toMatchObject({ isonline: '1', usecount: 12, barcode: '<empty>', location: '<empty>' })
  Object.assign(p5.behavior, { booleans: 'boolean', numbers: 'text', planProperties: 'camel' })
  expect(await volume()).toMatchObject({ isonline: true, usecount: '12', dateused: '<empty>' })
  expect((await ask(p5, 'GET archive/plans/10001')).body).toMatchObject({ deleteFiles: false, incrLevel: '0' })
  Object.assign(p5.behavior, { booleans: 'number', planProperties: 'upper', unknownStatus: 500 })
  expect((await ask(p5, 'GET archive/plans/10001')).body).toMatchObject({ DELETEALL: 0 })
  expect(await ask(p5, 'GET archive/plans/1')).toEqual({ status: 500, body: 'Unknown plan "1"' })
})

test('old servers have no group general', async () => {
  const p5 = await simulator({ behavior: { hasGroups: false } })
  expect(await ask(p5, 'GET general/clients/localhost')).toMatchObject({ status: 404 })
  expect(await ask(p5, 'GET clients/localhost')).toMatchObject({ status: 200 })
  expect(await ask(p5, 'GET archive/plans')).toMatchObject({ status: 200 })
})

test('a client has details, and an unknown one is not found', async () => {
  const p5 = await simulator()
  p5.addClient('studio', { description: 'Edit suite' })
  const details = (await ask(p5, 'GET general/clients/studio')).body
  expect(details).toMatchObject({ ID: 'studio', description: 'Edit suite', port: 8_001, isthin: '0' })
  expect(await ask(p5, 'GET general/clients/other')).toEqual({ status: 404, body: {} })
})

test('calls fail in bursts, beyond a rate, and when their connection is cut', async () => {
  const p5 = await simulator()
  p5.faults.failNext('GET archive', 500, 'Server busy', 2)
  const statuses = []
  for (const path of ['archive/plans', 'general/jobs', 'archive/indexes', 'archive/plans'])
    statuses.push((await ask(p5, `GET ${path}`)).status)
  expect(statuses).toEqual([500, 200, 500, 200])
  p5.faults.resetNext('GET archive', 5)
  await expect(ask(p5, 'GET archive/plans')).rejects.toThrow('aborted')
  p5.faults.throttle(2)
  expect((await ask(p5, 'GET archive/plans')).status).toBe(503)
})

test('answers are late, the number of parallel calls is known, and a restart closes connections', async () => {
  const p5 = await simulator()
  p5.faults.latencyMs = (call) => (call === 'GET archive/indexes' ? 60_000 : 30)
  await Promise.all([1, 2, 3].map(() => ask(p5, 'GET archive/plans')))
  expect(p5.maxParallelRequests()).toBe(3)
  const late = ask(p5, 'GET archive/indexes')
  await ask(p5, 'GET archive/plans')
  p5.restart(200)
  await expect(late).rejects.toThrow('socket hang up')
  await expect(ask(p5, 'GET archive/plans')).rejects.toThrow(/hang up|ECONNRESET/)
  await expect.poll(() => ask(p5, 'GET archive/plans').catch(() => undefined)).toMatchObject({ status: 200 })
  expect(p5.requests.filter(({ status }) => status === 0)).toHaveLength(1)
})
