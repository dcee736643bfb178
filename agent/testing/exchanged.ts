import { lstatSync, mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { testFolder } from '#server/platform/testing/stores.ts'

/** Exchanges two names without a pause, until the flag is set. */
const exchange = `
  const { parentPort, workerData: { one, other, flag } } = require('node:worker_threads')
  const libc = require('koffi').load('libc.so.6')
  const renameat2 = libc.func('int renameat2(int, const char *, int, const char *, unsigned int)')
  const isOver = new Int32Array(flag)
  parentPort.postMessage('begins')
  while (Atomics.load(isOver, 0) === 0) if (renameat2(-100, one, -100, other, 2) !== 0) throw new Error('not exchanged')`

/**
 * A storage with the folder `m`, and a folder outside of it. While `work` runs, `m` and a link to the folder outside are exchanged without a pause.
 */
export function exchangedFolder() {
  const [root, outside] = [testFolder('storage'), testFolder('outside')]
  mkdirSync(join(root, 'm'))
  symlinkSync(outside, join(root, 'link'))
  async function whileExchanged(work: () => Promise<void>): Promise<void> {
    const flag = new SharedArrayBuffer(4)
    const workerData = { one: join(root, 'm'), other: join(root, 'link'), flag }
    const worker = new Worker(exchange, { eval: true, workerData })
    const ended = new Promise<void>((resolve, reject) => worker.once('exit', () => resolve()).once('error', reject))
    await new Promise((online) => worker.once('message', online))
    try {
      await work()
    } finally {
      Atomics.store(new Int32Array(flag), 0, 1)
      await ended
    }
  }
  const folder = () => join(root, lstatSync(join(root, 'm')).isDirectory() ? 'm' : 'link')
  return { root, outside, folder, whileExchanged }
}
