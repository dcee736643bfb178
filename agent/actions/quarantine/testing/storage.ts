import { execFileSync } from 'node:child_process'
import { existsSync, lstatSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PlannedFile } from '#events/actions/files.ts'
import type { QuarantineOrder } from '#events/actions/orders.ts'
import { testFolder } from '#server/platform/testing/stores.ts'
import { onDisk } from '../../../systems/local/paths.ts'
import { type Attempt, runAttempt } from '../../testing/attempts.ts'
import { type FileList, newFileList } from '../../testing/fileList.ts'
import { openQuarantine } from '../openQuarantine.ts'

export const run = '1a2b3c4d-4711'
const modified = 1_700_000_000.123

export type TestStorage = ReturnType<typeof testStorage>

/** A storage with files, and an agent that may change it. */
export function testStorage(root = testFolder('storage'), mayChange: string[] = [root]) {
  const state = testFolder('state')
  const at = (path: string) => onDisk(root, path)
  return {
    root,
    state,
    mayChange,
    mayDelete: mayChange,
    at,
    manifest: join(root, `.dataintell-quarantine/${run}.sh`),
    /** Path of a file in quarantine. */
    quarantined: (path: string) => onDisk(root, `/.dataintell-quarantine/${run}${path}`),
    write(path: string, content = `content of ${path}`) {
      mkdirSync(dirnameOf(at(path)), { recursive: true })
      writeFileSync(at(path), content)
      utimesSync(at(path), modified, modified)
      return path
    },
    read: (path: string) => readFileSync(at(path), 'latin1'),
    /** Runs the script of the manifest. */
    undo: (shell = 'sh', ...args: string[]) =>
      execFileSync(shell, [join(root, `.dataintell-quarantine/${run}.sh`), ...args], {
        encoding: 'utf8',
        stdio: 'pipe',
      }),
  }
}

const dirnameOf = (path: string | Buffer) => {
  const bytes = Buffer.from(path)
  return bytes.subarray(0, bytes.lastIndexOf('/'))
}

/** The file of a storage as the server plans it after a scan. */
function plannedFile({ root, at }: Pick<TestStorage, 'root' | 'at'>, path: string) {
  const { size, mtimeMs, ino, nlink } = lstatSync(at(path), { bigint: true })
  return {
    path: root + path,
    place: '',
    pathInStorage: path,
    size: Number(size),
    modified: Number(mtimeMs / 1_000n),
    inode: String(BigInt.asUintN(64, ino)),
    links: Number(nlink),
  } satisfies Partial<PlannedFile>
}

export const plan = (storage: TestStorage, paths: readonly string[], changes: Partial<PlannedFile> = {}): FileList =>
  newFileList(paths.map((path) => ({ ...plannedFile(storage, path), ...changes })))

/** Lists the same files as planned, after they were moved. */
export const again = ({ listed }: FileList): FileList =>
  newFileList(listed.map((file) => ({ ...file, state: 'planned', reason: '' })))

export function orderOf(verb: QuarantineOrder['verb'], changes: Partial<QuarantineOrder> = {}): QuarantineOrder {
  // The clock of file systems is finer.
  const now = Date.now() + 1
  return { kind: 'quarantine', verb, run, at: now, scannedAt: now, ...changes }
}

/** Lets a day pass since the last move of a run. */
export function letDayPass({ root }: Pick<TestStorage, 'root'>, name = run): void {
  const manifest = join(root, `.dataintell-quarantine/${name}.sh`)
  const dayAgo = Date.now() / 1_000 - 86_400
  if (existsSync(manifest)) utimesSync(manifest, dayAgo, dayAgo)
}

/** Carries out an order for a list of files, in one attempt, a deletion a day later. */
export async function carryOut(
  storage: Pick<TestStorage, 'root' | 'state' | 'mayChange' | 'mayDelete'>,
  list: FileList,
  order: QuarantineOrder,
  options: Attempt = {},
): Promise<FileList> {
  if (order.verb === 'delete') letDayPass(storage, order.run)
  await runAttempt(list, order, () => openQuarantine(order, { ...storage, agentId: 7 }), options)
  return list
}
