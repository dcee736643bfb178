import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { measured } from '#server/platform/testing/phases.ts'
import type { FileStorageDraft } from '#events/sources/fileStorages.ts'
import { type Call, mustOf, signIn } from './testing/calls.ts'

export const testPassword = 'a password of the tests'

/** The whole product as run by `npm start`, on a free port and with a data folder of the test. */
export type Product = {
  address: string
  /** Milliseconds until the product was ready. */
  startedAfter: number
  /** Everything that the product printed. */
  printed(): string
  pid: number
  call: Call
  /** A price book without costs, in the form of storage drafts. */
  freeBook(): Promise<{ id: number }>
  /** Sets up a file storage, with a free price book unless the draft has one. Returns its ID. */
  addStorage(draft: { name: string; path: string } & Partial<FileStorageDraft>): Promise<number>
  kill(): Promise<void>
  stop(): Promise<void>
}

const program = join(import.meta.dirname, 'start.ts')

const withoutRights = ['setpriv', '--bounding-set=-dac_override,-dac_read_search', '--inh-caps=-all']

/**
 * Folder of the first file storage, environment, and true if the process should be bound by permissions even as root.
 */
export type Starting = {
  folder?: string
  environment?: NodeJS.ProcessEnv
  boundByPermissions?: boolean
  /** Password of `admin`. */
  password?: string
  onPrinted?: (text: string) => void
}

/** Starts the product and waits until it is ready. Throws its output if it ends before. */
export const startProduct = (data: string, starting: Starting = {}): Promise<Product> =>
  measured('product', () => start(data, starting))

async function start(data: string, starting: Starting): Promise<Product> {
  const { folder, environment, boundByPermissions = false, password = testPassword, onPrinted } = starting
  const started = Date.now()
  const env = productEnvironment(data, environment)
  const args = [process.execPath, program, ...(folder === undefined ? [] : [folder])]
  const [first = '', ...others] = boundByPermissions && process.getuid?.() === 0 ? [...withoutRights, ...args] : args
  const child = spawn(first, others, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let printed = ''
  const address = await new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      printed += String(chunk)
      onPrinted?.(String(chunk))
      const [, address] = /is ready after .* (http:\S+)/.exec(printed) ?? []
      if (address) resolve(address)
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    child.once('exit', (code, signal) => reject(new Error(`It ended with ${code ?? signal}:\n${printed}`)))
  })
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill(signal)
    await once(child, 'exit')
  }
  const running = {
    startedAfter: Date.now() - started,
    printed: () => printed,
    pid: pidOf(child),
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
  }
  return productAt(address, running, signedIn(address, { name: 'admin', password }))
}

/** Environment of a product with its data folder and the `admin` password of tests. */
export const productEnvironment = (data: string, environment: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv => ({
  ...process.env,
  PORT: '0',
  DATAINTELL_DATA: data,
  DATAINTELL_ADMIN_PASSWORD: testPassword,
  ...environment,
})

/** A running product, with calls made as `admin`, unless others are given. */
export function productAt(
  address: string,
  running: Pick<Product, 'startedAfter' | 'printed' | 'pid' | 'kill' | 'stop'>,
  call: Call = signedIn(address),
): Product {
  return {
    ...running,
    address,
    call,
    freeBook: () => freeBook(call),
    addStorage: (draft) => addStorage(call, draft),
  }
}

const made = async (call: Call, path: string, body: object): Promise<number> =>
  (await mustOf(call)<{ id: number }>('POST', path, body)).id

async function freeBook(call: Call): Promise<{ id: number }> {
  const book = { description: 'Free', currencySymbol: '$', price: 0 }
  const { answer } = await call('GET', '/v1/storage-prices')
  const known = (answer as { elements: { id: number; description: string }[] }).elements.find(
    ({ description }) => description === book.description,
  )
  return { id: known?.id ?? (await made(call, '/v1/storage-prices', book)) }
}

const addStorage = async (call: Call, draft: object) =>
  made(call, '/volumeSettings', { storagePrice: await freeBook(call), ...draft })

function pidOf({ pid }: ChildProcess): number {
  if (pid === undefined) throw new Error('The process has no number')
  return pid
}

/** Makes calls as `admin` or another user, who is signed in before the first call. `cookies` has the browser's cookies. */
export const signedIn = (
  address: string,
  who = { name: 'admin', password: testPassword },
  cookies?: Map<string, string>,
): Call => signIn(address, who, cookies)

/** Runs a program of this folder to its end, such as `backup`. Returns its exit code and everything that it printed. */
export async function runProgram(name: string, args: readonly string[], env: NodeJS.ProcessEnv) {
  const child = spawn(process.execPath, [join(import.meta.dirname, `${name}.ts`), ...args], { env })
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
  return { code: code as number, printed: stdout + stderr }
}

/** Process ID of the built-in agent of a running server. */
export function agentOf(server: number): number | undefined {
  return globSync('/proc/[0-9]*/stat')
    .map((file) => readStat(file))
    .find((stat) => stat?.parent === server && stat.command.includes('agent/main.ts'))?.pid
}

function readStat(file: string): { pid: number; parent: number; command: string } | undefined {
  try {
    const stat = readFileSync(file, 'utf8')
    const [, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const command = readFileSync(file.replace(/stat$/, 'cmdline'), 'utf8')
    return { pid: Number.parseInt(stat), parent: Number(parent), command }
  } catch {
    return undefined
  }
}
