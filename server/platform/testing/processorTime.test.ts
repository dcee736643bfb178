import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { processorMsOfTests, shareProcessorTime } from './processorTime.ts'

const usedMs = 300
const program = `while (process.cpuUsage().user < ${usedMs}_000); console.log('done'); setInterval(() => {}, 1_000)`

/** Starts a process that has finished its processor time when this resolves. */
async function startBusy(): Promise<ChildProcess & { pid: number }> {
  const child = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(child.stdout, 'data')
  return child as ChildProcess & { pid: number }
}

async function end(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL')
  await once(child, 'exit')
}

test.skipIf(!existsSync('/proc'))('a process counts while it runs and after it ended', async () => {
  const before = processorMsOfTests()
  const child = await startBusy()
  expect(processorMsOfTests() - before).toBeGreaterThanOrEqual(usedMs - 20)
  await end(child)
  expect(processorMsOfTests() - before).toBeGreaterThanOrEqual(usedMs - 20)
})

test.skipIf(!existsSync('/proc'))('memory used before a process was shared does not count', async () => {
  const before = processorMsOfTests()
  const child = await startBusy()
  const alone = processorMsOfTests() - before
  shareProcessorTime(child.pid)
  expect(processorMsOfTests() - before).toBeLessThan(alone - usedMs / 2)
  await end(child)
})
