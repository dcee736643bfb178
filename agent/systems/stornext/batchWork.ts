import { setTimeout as wait } from 'node:timers/promises'
import { inParallel } from '../inParallel.ts'
import type { PlannedFile } from '#events/actions/files.ts'
import { messageOf } from '../system.ts'
import { ActionFailed, type ActionContext, type Batch } from '../../actions/action.ts'
import { patiently } from '../../actions/patiently.ts'
import type { Client } from './client.ts'
import { type Intervals, newCommands, MissingResponse } from './command.ts'
import { commandFor, commandsFor } from './fileCommands.ts'
import { StorNextFailed, TooManyFiles, UnknownCall } from './failures.ts'
import { lookAt } from './situations.ts'
import { problemsIn } from './statuses.ts'
import { isCallUnknown } from './unconfirmed.ts'
import { type Order, type Situation, stateOf } from './verbs.ts'

/** Commands for single files at the same time. */
const relocationsAtOnce = 16

/**
 * Knowledge of this attempt about a file: it was not requested, or its command has ended, with the server's text about it ('' for none).
 * Without any, the server may or may not have the command.
 */
export type Knowledge = 'not sent' | { text: string }

type Options = {
  client: Client
  order: Order
  intervals: Intervals & { settleMs: number }
  report: ActionContext['report']
}

/** Sends the commands for the files of batches, and remembers what became of them. */
export function newBatchWork({ client, order, intervals, report }: Options) {
  const look: Look = (files, signal) => patiently(() => lookAt(client, order, files, signal), report, signal)
  const lookLater = waiting(look, intervals.settleMs, report)
  const runCommand = newRunner(newCommands(client, intervals, report), order, lookLater)
  const known = new Map<string, Map<number, Knowledge>>()
  const progress = newProgress(report)

  return {
    /** Requests what is not done yet. Commands whose outcome stays unknown are left to the state of their files. */
    async send(batch: Batch, signal: AbortSignal): Promise<void> {
      const ofBatch = new Map<number, Knowledge>(batch.files.map(({ position }) => [position, 'not sent']))
      known.set(batch.reference, ofBatch)
      const note: Note = (files, knowledge) => {
        for (const { file } of files)
          if (knowledge === undefined) ofBatch.delete(file.position)
          else ofBatch.set(file.position, knowledge)
      }
      const situations = await look(batch.files, signal)
      note(
        situations.filter((situation) => stateOf(situation) !== 'open'),
        { text: '' },
      )
      const open = situations.filter((situation) => stateOf(situation) === 'open')
      const commands = await patiently(() => commandsFor(client, order, open, signal), report, signal)
      await inParallel(commands, order.relocate === null ? 1 : relocationsAtOnce, async (files) => {
        try {
          await runCommand(files, note, signal)
          progress.add(batch, files)
        } catch (error) {
          if (signal.aborted || error instanceof ActionFailed) throw error
          report({ note: messageOf(error) })
        }
      }).catch((error: unknown) => {
        // The runner records a refused batch as planned, which must not happen to files that the server has.
        const isAnyTaken = open.some(({ file }) => ofBatch.get(file.position) !== 'not sent')
        throw error instanceof ActionFailed && isAnyTaken ? new Error(error.message) : error
      })
    },
    knowledgeOf: ({ reference }: Batch, position: number): Knowledge | undefined => known.get(reference)?.get(position),
    forget(batch: Batch): void {
      known.delete(batch.reference)
      progress.remove(batch)
    },
  }
}
export type BatchWork = ReturnType<typeof newBatchWork>

type Note = (files: Situation[], knowledge: Knowledge | undefined) => void

type Look = (files: PlannedFile[], signal: AbortSignal) => Promise<Situation[]>
/** Looks at files when their state shows what happened to a command. Meanwhile the reason is a note. */
type LookLater = (files: Situation[], reason: string, signal: AbortSignal) => Promise<Situation[]>

const waiting =
  (look: Look, settleMs: number, report: Options['report']): LookLater =>
  async (files, reason, signal) => {
    report({ note: reason })
    await wait(settleMs, undefined, { signal })
    const planned = files.map(({ file }) => file)
    const situations = await look(planned, signal)
    report({ note: '' })
    return situations
  }

/** Runs one command, or several if the server accepts fewer files. What Storage Manager did not answer is repeated for files that are still open. */
function newRunner(run: ReturnType<typeof newCommands>, order: Order, lookLater: LookLater) {
  async function repeatOpen(files: Situation[], { message }: Error, note: Note, signal: AbortSignal): Promise<void> {
    const situations = await lookLater(files, message, signal)
    const open = situations.filter((situation) => stateOf(situation) === 'open')
    note(
      situations.filter((situation) => !open.includes(situation)),
      { text: '' },
    )
    if (open.length > 0) await runCommand(open, note, signal)
  }

  async function runCommand(files: Situation[], note: Note, signal: AbortSignal): Promise<void> {
    const places = files.map(({ file }) => file.place)
    note(files, undefined)
    try {
      const response = await run(await commandFor(order, files), signal)
      const { ofFiles, general } = problemsIn(response, places)
      if (order.relocate !== null && isCallUnknown(general)) throw relocationMissing(general)
      for (const each of files) note([each], { text: ofFiles.get(each.file.place) ?? general })
    } catch (error) {
      if (error instanceof ActionFailed) note(files, 'not sent')
      if (error instanceof MissingResponse) return repeatOpen(files, error, note, signal)
      if (error instanceof UnknownCall && order.relocate !== null) throw relocationMissing(error.debugMessage)
      if (!(error instanceof TooManyFiles)) throw error
      if (files.length === 1) return note(files, { text: error.message })
      const half = Math.ceil(files.length / 2)
      await runCommand(files.slice(0, half), note, signal)
      await runCommand(files.slice(half), note, signal)
    }
  }
  return runCommand
}

const relocationMissing = (detail: string) =>
  new StorNextFailed(
    "This version of StorNext can't retrieve files to another folder. Retrieve them to their own folders",
    detail,
  )

/** Bytes of files whose commands ended, until their batches are recorded. */
function newProgress(report: ActionContext['report']) {
  const bytes = new Map<string, number>()
  const show = () => report({ bytesInProgress: [...bytes.values()].reduce((sum, each) => sum + each, 0) })
  return {
    add({ reference }: Batch, files: Situation[]): void {
      const added = files.reduce((sum, { file }) => sum + file.size, 0)
      bytes.set(reference, (bytes.get(reference) ?? 0) + added)
      show()
    },
    remove({ reference }: Batch): void {
      if (bytes.delete(reference)) show()
    },
  }
}
