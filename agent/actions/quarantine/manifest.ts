import { createHash, createHmac, randomBytes } from 'node:crypto'
import { constants, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import { bytesOfName } from '#events/contract/fileNames.ts'
import { quarantineFolder } from '#events/scans/notEntered.ts'
import { isPrivate, pathOf, statsOf } from './entries.ts'
import { ActionFailed } from '../action.ts'
import { endOfHeader, headerOf } from './script.ts'

/** State of a file when it was moved. `path` is the one in its storage: '/a/b'. */
export type MovedFile = { path: string; inode: bigint; size: bigint; mtimeNs: bigint }

/**
 * The manifest of a run: a shell script next to its folder that puts each file back without the product. Each line has a code that only the
 * agent which wrote it can make.
 */
export type Manifest = {
  /** Appends a line for each file, and returns once the storage has them. Throws an error of the system and then leaves the manifest unchanged. */
  append(files: MovedFile[]): Promise<void>
  /** True if this agent moved a file in this state to quarantine. */
  hasWritten(file: MovedFile): boolean
  close(): Promise<void>
}

const codeLength = 32
const line = new RegExp(`^back ([0-9a-f]{${codeLength}}) \\d+ \\d+ -?\\d+\\.\\d{9} '.*'$`, 's')
/** Bytes at the end of a manifest that are checked for an interrupted write: more than a batch has. */
const checkedBytes = 2 ** 24

/**
 * Opens the manifest of a run in the open folder of a quarantine; `toMove` creates it, and repairs the end that a killed agent left. Undefined if
 * it doesn't exist. Throws `ActionFailed`, or the error of the system.
 */
export async function openManifest(
  quarantine: number,
  run: string,
  { key, toMove }: { key: Buffer; toMove: boolean },
): Promise<Manifest | undefined> {
  const { O_RDONLY, O_RDWR, O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK } = constants
  const flags = (toMove ? O_RDWR | O_APPEND | O_CREAT : O_RDONLY) | O_NOFOLLOW | O_NONBLOCK
  const handle = await open(pathOf({ folder: quarantine, name: `${run}.sh` }), flags, 0o600).catch(noManifest)
  if (!handle) return undefined
  try {
    if (!isPrivate(await statsOf(handle.fd), 'file'))
      throw new ActionFailed(
        `${quarantineFolder}/${run}.sh is not a file of the agent alone: it may not have written it. Remove it`,
      )
    if (toMove) await repair(handle, quarantine, run)
    const codes = toMove ? new Set<string>() : await codesIn(handle)
    const codeOf = (file: MovedFile) => codeWith(key, run, file)
    return {
      append: (files) => append(handle, files.map((file) => lineOf(file, codeOf(file))).join('')),
      hasWritten: (file) => codes.has(codeOf(file)),
      close: () => handle.close(),
    }
  } catch (error) {
    await handle.close()
    throw error
  }
}

/** Lines end with a line feed only: names may have other characters that end lines elsewhere. */
async function codesIn(handle: FileHandle): Promise<Set<string>> {
  const codes = new Set<string>()
  let rest = ''
  for await (const part of handle.createReadStream({ encoding: 'latin1', autoClose: false, start: 0 })) {
    const lines = (rest + String(part)).split('\n')
    rest = lines.pop() ?? ''
    for (const text of lines) {
      const [, code] = line.exec(text) ?? []
      if (code !== undefined) codes.add(code)
    }
  }
  return codes
}

function noManifest(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}

async function append(handle: FileHandle, lines: string): Promise<void> {
  const { size } = await handle.stat()
  try {
    await handle.appendFile(lines, 'latin1')
    await handle.datasync()
  } catch (error) {
    await handle.truncate(size).catch(() => {})
    throw error
  }
}

/** Writes the header, or cuts off lines that were not written in full: none of their files was moved. */
async function repair(handle: FileHandle, quarantine: number, run: string): Promise<void> {
  const header = Buffer.from(headerOf(run))
  const { size } = await handle.stat()
  const begin = Math.max(0, size - checkedBytes)
  const tail = Buffer.alloc(size - begin)
  await handle.read(tail, 0, tail.length, begin)
  const text = tail.toString('latin1')
  if (begin === 0 && !text.includes(endOfHeader)) {
    await handle.truncate(0)
    await handle.appendFile(header)
    await handle.sync()
    return syncFolder(quarantine)
  }
  let end = text.length
  for (;;) {
    const last = text.lastIndexOf('\n', end - 2) + 1
    if (last === 0 || text.slice(0, end).endsWith(endOfHeader)) break
    if (text[end - 1] === '\n' && line.test(text.slice(last, end - 1))) break
    end = last
  }
  if (end < text.length) {
    await handle.truncate(begin + end)
    await handle.sync()
  }
}

async function syncFolder(folder: number): Promise<void> {
  const handle = await open(`/proc/self/fd/${folder}`, constants.O_RDONLY)
  await handle.sync().finally(() => handle.close())
}

const second = 1_000_000_000n

function lineOf({ path, inode, size, mtimeNs }: MovedFile, code: string): string {
  const nanoseconds = BigInt.asUintN(64, ((mtimeNs % second) + second) % second)
  const time = `${(mtimeNs - nanoseconds) / second}.${String(nanoseconds).padStart(9, '0')}`
  return `back ${code} ${inode} ${size} ${time} ${quoted(path.slice(1))}\n`
}

/** A word of sh for any bytes, without a line break in it, so that a line is always a whole call. */
const quoted = (path: string): string =>
  `'${bytesOfName(path)
    .toString('latin1')
    .replaceAll("'", String.raw`'\''`)
    .replaceAll('\n', `'"$n"'`)}'`

function codeWith(key: Buffer, run: string, { path, inode, size, mtimeNs }: MovedFile): string {
  const hash = createHmac('sha256', key).update(`${run} ${inode} ${size} ${mtimeNs} `)
  return hash.update(bytesOfName(path)).digest('hex').slice(0, codeLength)
}

const keyBytes = 32

/** Returns the secret of this agent for a storage, by the real path of its root. Throws if its own folder can't be written. */
export function keyOf(state: string, realRoot: string): Buffer {
  const folder = join(state, 'quarantine')
  const file = join(folder, `${createHash('sha256').update(realRoot).digest('hex').slice(0, 32)}.key`)
  try {
    const key = readFileSync(file)
    // A file that was not written in full has made no code yet.
    if (key.length === keyBytes) return key
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const key = randomBytes(keyBytes)
  writeFileSync(file, key, { mode: 0o600, flush: true })
  return key
}
