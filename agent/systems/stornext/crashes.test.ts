import { expect, test } from 'vitest'
import type { FileStep } from './simulator/contents/storageManager.ts'
import type { StorNextSimulator } from './simulator/index.ts'
import { listOf, root, run, runUntilDone, withFiles, withTapes } from './testing.ts'
import { Crashed, type FileList } from '../../actions/testing/fileList.ts'

const names = Array.from({ length: 50 }, (_, i) => `f${i}`)
const target = '/stornext/snfs1/restored'

/** A simulated hour takes 0.7 s: commands run while another attempt begins. */
const clock = { speed: 5_000 }

/** Number of tape accesses of each file: a second one would be a file that was processed twice. */
const accesses = ({ tapeLog }: StorNextSimulator) =>
  new Set(names.map((name) => tapeLog.filter(({ path }) => path === `${root}/${name}`).length))

/** Final states, and numbers of accesses and completed steps, each of them equal for all files. */
function summaryOf(stornext: StorNextSimulator, list: FileList, step: FileStep) {
  const counts = names.map((name) => stornext.processed(`${root}/${name}`)[step])
  const files = { done: list.places('done').length, sent: list.places('sent').length }
  return { ...files, accesses: [...accesses(stornext)], steps: [...new Set(counts)] }
}

const eachOnce = { done: 50, sent: 0, accesses: [1], steps: [1] }

const kinds = [
  { step: 'store', records: 4, start: () => withFiles(names, { clock }), options: { verb: 'store' } },
  {
    step: 'retrieve',
    records: 2,
    start: () => withTapes({ A00001L8: names.slice(0, 25), A00002L8: names.slice(25) }, { clock }),
    options: { verb: 'retrieve' },
  },
  {
    step: 'relocate',
    records: 2,
    start: () => withTapes({ A00001L8: names }, { clock, readings: { retrieveNew: 'creates folder' } }),
    options: { verb: 'retrieve', relocate: target },
  },
] as const

for (const { step, records, start, options } of kinds) {
  const crashes = Array.from({ length: records }, (_, i) => i + 1).flatMap((at) => [
    { at, when: 'before' as const },
    { at, when: 'after' as const },
  ])
  test.for(crashes)(`${step}: a crash $when record $at`, async (crash) => {
    const stornext = await start()
    const list = listOf(names)
    await expect(run(stornext, list, { ...options, crash })).rejects.toThrow(Crashed)
    await run(stornext, list, { ...options, attempt: 2 })
    expect(summaryOf(stornext, list, step)).toEqual(eachOnce)
  })

  const call = { store: 'file/fsstore', retrieve: 'file/fsretrieve', relocate: 'file/fsretrieve/new' }[step]
  test.for([0, 1])(`${step}: the answer to command %i is lost`, async (skip) => {
    const stornext = await start()
    stornext.faults.loseAnswer(call, { skip })
    const list = listOf(names)
    await runUntilDone(stornext, list, options)
    expect(summaryOf(stornext, list, step)).toEqual(eachOnce)
  })

  test(`${step}: the server restarts and forgets its jobs`, async () => {
    const stornext = await start()
    let isRestarted = false
    const restart = () => {
      if (isRestarted || stornext.tapeLog.length < 3) return
      isRestarted = true
      void stornext.restart(20)
    }
    const timer = setInterval(restart, 1)
    const list = listOf(names)
    await runUntilDone(stornext, list, options).finally(() => clearInterval(timer))
    expect(isRestarted).toBe(true)
    expect({ done: list.places('done').length, sent: list.places('sent').length }).toEqual({ done: 50, sent: 0 })
    // A file on the drive at the restart is read or written again, others are not.
    expect([...accesses(stornext)].every((count) => count === 1)).toBe(true)
  })
}

test('a crash while files are requested, at each number of finished files', async () => {
  for (const finished of [1, 7, 39, 40, 41]) {
    const stornext = await withFiles(names, { clock })
    const list = listOf(names)
    const attempt = new AbortController()
    const timer = setInterval(() => stornext.tapeLog.length >= finished && attempt.abort(new Crashed()), 0)
    await run(stornext, list, { signal: attempt.signal }).catch(() => {})
    clearInterval(timer)
    await run(stornext, list, { attempt: 2 })
    expect(summaryOf(stornext, list, 'store')).toEqual(eachOnce)
  }
})
