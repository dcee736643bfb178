import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { testFolder } from '#server/platform/testing/stores.ts'
import { readConfig } from './config.ts'
import { isGone, readMachine } from './machine.ts'

test('the folder for dumps of P5 names a client and both paths', () => {
  const read = (AGENT_P5_DUMPS: string) => readConfig({ NATS_URL: 'nats://localhost', AGENT_P5_DUMPS }).p5Dumps
  expect(read('studio:/srv/dumps=/mnt/dumps')).toEqual({
    client: 'studio',
    clientFolder: '/srv/dumps',
    folder: '/mnt/dumps',
  })
  for (const wrong of ['/mnt/dumps', 'studio:/srv/dumps', 'studio=/mnt/dumps', 'studio:srv=/mnt', ':/srv=/mnt'])
    expect(() => read(wrong)).toThrow(/AGENT_P5_DUMPS: must be CLIENT:FOLDER=FOLDER/)
})

test('the folders that an agent may change are full paths, and none by default', () => {
  const configOf = (more: NodeJS.ProcessEnv) => readConfig({ NATS_URL: 'nats://localhost', ...more })
  const read = (more: NodeJS.ProcessEnv) => configOf(more).mayChange
  expect(configOf({ AGENT_MAY_CHANGE: '/data', AGENT_MAY_DELETE: '/data/films' }).mayDelete).toEqual(['/data/films'])
  expect(configOf({ AGENT_MAY_CHANGE: '/data' }).mayDelete).toEqual([])
  expect(read({})).toEqual([])
  expect(read({ AGENT_MAY_CHANGE: ' ' })).toEqual([])
  expect(read({ AGENT_MAY_CHANGE: '/data/films, /mnt/nas:/srv/x y' })).toEqual(['/data/films', '/mnt/nas', '/srv/x y'])
  for (const wrong of ['films', '/data,./films', '*'])
    expect(() => read({ AGENT_MAY_CHANGE: wrong })).toThrow(/AGENT_MAY_CHANGE: must be full paths of folders/)
})

test('a machine has the same ID in each run, and does not reveal its own', () => {
  const state = testFolder('state')
  const [first, second] = [readMachine(state, 'first'), readMachine(state, 'second')]
  expect(first.id).toMatch(/^[0-9a-f]{32}$/)
  expect(second).toEqual(first)
  expect(first.pid).toBe(process.pid)
})

test('a machine without an ID gets one that is stored in the folder of the agent', () => {
  const state = testFolder('state')
  const readId = (folder: string) => readMachine(folder, 'a run', []).id
  expect(readId(join(state, 'new'))).toBe(readId(join(state, 'new')))
  expect(readId(join(state, 'new'))).not.toBe(readId(join(state, 'other')))
  writeFileSync(join(state, 'file'), '')
  expect(() => readId(join(state, 'file'))).toThrow(/file\/machine cannot be written \(E\w+\): see AGENT_STATE/)
  const empty = join(state, 'empty')
  mkdirSync(empty)
  writeFileSync(join(empty, 'uninitialized'), 'uninitialized\n')
  expect(readMachine(empty, 'a run', [join(empty, 'uninitialized')]).id).toBe(readId(empty))
})

test('a process is gone when it has ended on this boot', async () => {
  const self = readMachine(testFolder('state'), 'a run')
  const child = spawn(process.execPath, ['--eval', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' })
  await once(child, 'spawn')
  const other = { boot: self.boot, pid: child.pid as number }
  expect(isGone(other, self)).toBe(false)
  child.kill('SIGKILL')
  await once(child, 'exit')
  expect(isGone(other, self)).toBe(true)
  expect(isGone({ ...other, boot: 'another boot' }, self)).toBe(false)
  expect(isGone(self, self)).toBe(true)
})
