import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { testFolder } from '#server/platform/testing/stores.ts'
import { isRunning, isStillOurs, lockDataFolder, refuseNetworkDisk, tryLock } from './folderLock.ts'
import { findProcess } from './processes.ts'
import { lockStore } from './storeLock.ts'

/** A process that inherits a lock, as stores do. */
function holdLock(fd: number) {
  const child = spawn('sleep', ['600'], { stdio: ['ignore', 'ignore', 'ignore', fd] })
  const end = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  onTestFinished(end)
  return { end, known: findProcess(child.pid ?? 0) }
}

test('a data folder has one product at a time, which the message names', () => {
  const data = testFolder('locked')
  expect(isRunning(data)).toBe(false)
  const { release } = lockDataFolder(data)
  expect(isRunning(data)).toBe(true)
  expect(() => lockDataFolder(data)).toThrow(
    `DataIntell already runs on ${data} (process ${process.pid} on ${hostname()}). Stop it first, or set DATAINTELL_DATA.`,
  )
  release()
  expect(isRunning(data)).toBe(false)
  lockDataFolder(data).release()
})

test('a lock is held until the last process that inherited it has ended', async () => {
  const file = join(testFolder('locked'), 'store.lock')
  const lock = tryLock(file)!
  const { end } = holdLock(lock.fd)
  lock.release()
  expect(tryLock(file)).toBeUndefined()
  await end()
  expect(tryLock(file)).toBeDefined()
})

test('a folder that was replaced by a copy is no longer ours', () => {
  const parent = testFolder('replaced')
  const data = join(parent, 'data')
  mkdirSync(data)
  const lock = lockDataFolder(data)
  expect(isStillOurs(data, lock)).toBe(true)
  cpSync(data, `${data}.copy`, { recursive: true })
  renameSync(data, `${data}.away`)
  expect(isStillOurs(data, lock)).toBe(false)
  renameSync(`${data}.copy`, data)
  expect(isStillOurs(data, lock)).toBe(false)
})

test('a folder whose files were overwritten is no longer ours', () => {
  const data = testFolder('overwritten')
  const lock = lockDataFolder(data)
  writeFileSync(join(data, 'data.lock'), 'process 1 on another-host')
  expect(isStillOurs(data, lock)).toBe(false)
})

test('a store that runs is found, and its lock is taken once it has ended', async () => {
  const file = join(testFolder('store'), 'store.lock')
  const lock = tryLock(file)!
  const { end, known } = holdLock(lock.fd)
  lock.release()
  expect(await lockStore(file, () => known)).toEqual({ found: known })
  await end()
  expect(await lockStore(file, () => undefined)).toHaveProperty('lock.fd')
})

test('a process with the same command line but other files is not taken for the store', async () => {
  const folder = testFolder('store')
  const [ours, other] = [tryLock(join(folder, 'ours.lock'))!, tryLock(join(folder, 'other.lock'))!]
  const store = holdLock(ours.fd)
  const stranger = holdLock(other.fd)
  ours.release()
  expect(await lockStore(join(folder, 'ours.lock'), () => stranger.known)).toEqual({ found: store.known })
})

test('a store that runs where it can not be seen is refused', async () => {
  const file = join(testFolder('store'), 'store.lock')
  const lock = tryLock(file)!
  await expect(lockStore(file, () => undefined, 100)).rejects.toThrow(
    `The store of ${file} is still running, but not among the processes that this one can see.`,
  )
  lock.release()
})

test.each([
  [0x6969, 'NFS'],
  // As a signed number, which some systems report.
  [0xfe534d42 | 0, 'SMB'],
])('a network file system (%i) is refused by name', (type, name) => {
  expect(() => refuseNetworkDisk('/data', type)).toThrow(`The data folder /data is on a network file system (${name})`)
})

test('a local disk is accepted', () => {
  expect(() => refuseNetworkDisk(testFolder('local'))).not.toThrow()
  // ext4
  expect(() => refuseNetworkDisk('/data', 0xef53)).not.toThrow()
})
