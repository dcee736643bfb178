import { type EventEmitter, once } from 'node:events'
import { expect, test } from 'vitest'
import { listen } from '#server/listen.ts'
import { checkListeners, emittersIn } from './sources.ts'

const heard = (source: string) => emittersIn(source).map(({ call, isHeard }) => [call, isHeard])

test('an emitter without a listener for its errors is found', () => {
  expect(heard("const child = spawn('x')\nchild.on('exit', end)")).toEqual([['spawn', false]])
  expect(heard("const child = spawn('x')\nother.on('error', end)")).toEqual([['spawn', false]])
  expect(heard("worker = new Worker(file)\nworker.once('message', use)")).toEqual([['new Worker', false]])
  expect(heard("const server = createServer(answer)\nawait once(server, 'listening')")).toEqual([
    ['createServer', false],
  ])
  expect(heard('const out = createWriteStream(path)\nout.write(text)')).toEqual([['createWriteStream', false]])
})

test('listeners, and calls that throw the error, are found too', () => {
  expect(heard("const child = spawn('x')\nchild.once('error', reject)")).toEqual([['spawn', true]])
  expect(heard("const child = spawn('x').on('error', end)")).toEqual([['spawn', true]])
  expect(heard("const child = fork('x')\nconst [code] = await once(child, 'exit')")).toEqual([['fork', true]])
  expect(heard('const out = createWriteStream(path)\nawait pipeline(rows, out)')).toEqual([['createWriteStream', true]])
})

test('all that the product opens has a listener', async () => {
  expect(await checkListeners()).toBe(true)
})

test('a server that can not accept a connection serves the others', async () => {
  const server = await listen({ host: '127.0.0.1', port: 0 })
  const emitter: EventEmitter = server.http
  emitter.emit('error', Object.assign(new Error('accept EMFILE'), { code: 'EMFILE' }))
  expect((await fetch(server.address)).status).toBe(503)
  server.http.close()
  server.http.closeAllConnections()
  await once(server.http, 'close')
})
