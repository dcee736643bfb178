import { classOfPath, type FileStep, type StorageManager } from '../contents/storageManager.ts'
import type { ManagedFile } from '../contents/managedFile.ts'
import { outcomeOf, type Results, statusesOf } from '../statuses.ts'
import type { Failure } from '../unconfirmed.ts'
import type { Command } from './jobs.ts'

/** Work on one file, which ends in simulated time, with a failure or without. */
export type FileWork = (file: ManagedFile, end: (failure?: Failure) => void) => void

/** A command that works on files one after another, and continues after a failure. */
export function onFiles(
  manager: StorageManager,
  { name, step, paths }: { name: string; step: FileStep; paths: string[] },
  work: FileWork,
): Command {
  return (finish) => {
    const results: Results = []
    const { run } = manager
    inTurn(
      paths,
      (path, next) => {
        workOnFile(manager, path, step, work, (failure) => {
          if (run !== manager.run) return
          results.push({ path, failure })
          next()
        })
      },
      () => finish({ statuses: statusesOf(manager.readings, name, results) }, outcomeOf(results)),
    )
  }
}

function workOnFile(
  manager: StorageManager,
  path: string,
  step: FileStep,
  work: FileWork,
  end: (failure?: Failure) => void,
): void {
  const file = manager.files.get(path)
  const failure = failureOf(manager, file, path, step)
  if (!file || failure) return end(failure)
  work(file, (failed) => {
    if (failed) return end(failed)
    manager.steps.completed(path, step)
    end()
  })
}

/** Reason not to start the work on a file. */
function failureOf(
  manager: StorageManager,
  file: ManagedFile | undefined,
  path: string,
  step: FileStep,
): Failure | undefined {
  if (!file) return 'unknown file'
  if (file.isDeleted) return 'deleted file'
  if (file.isForeign) return 'foreign file'
  if (step === 'store' && !classOfPath(manager, path)) return 'no class'
  return manager.steps.takeFault(path, step)
}

/** Calls `work` for each item, after the one before it has called `next`. Items that end at once need no stack. */
function inTurn<T>(items: T[], work: (item: T, next: () => void) => void, finish: () => void): void {
  let at = 0
  let isInLoop = false
  const proceed = () => {
    if (isInLoop) return
    isInLoop = true
    for (let isWaiting = false; !isWaiting;) {
      const item = items[at++]
      if (item === undefined) return finish()
      let isDone = false
      work(item, () => {
        isDone = true
        proceed()
      })
      isWaiting = !isDone
    }
    isInLoop = false
  }
  proceed()
}
