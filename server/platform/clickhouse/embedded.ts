import { mkdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { type ClickHouseClient, createClient } from '@clickhouse/client'
import { formatQueryParams } from '@clickhouse/client-common'
import type * as Chdb from 'chdb'
import type * as ChdbConnection from 'chdb/connection'
import { machine } from '#events/node/index.ts'
import { type BlockWay, readFromFile } from './blocks.ts'
import { chunksOf } from './chunks.ts'
import { type Destination, writtenByEngine } from './destination.ts'
import { literal } from './sql.ts'
import { spawnSync } from 'node:child_process'
import { cleanText } from '#events/contract/cleanText.ts'

/** Access to one ClickHouse: the only difference between the embedded engine and a server. */
export type Address = {
  /** Opens a connection whose statements run in threads of that nice value. */
  connect(nice?: number): ClickHouseClient
  /** Nice value for threads of heavy work; 0 if the engine's threads can't be changed. */
  nice: number
  /** Writes a result into a file on this machine. */
  intoFile(path: string): Destination<void>
  insertBlock: BlockWay
  close(): Promise<void>
}

// Each running statement holds a thread of the pool. The pool is created at its first use, so this must be loaded
// early.
process.env['UV_THREADPOOL_SIZE'] ??= '16'

const require = createRequire(import.meta.url)
/** The engine takes 540 MB on disk. It is loaded at its first use, so that a server with another ClickHouse needs none. */
const chdb = (): typeof Chdb => require('chdb')
const chdbConnection = (): typeof ChdbConnection => require('chdb/connection')

const gigabyte = 1024 ** 3

/**
 * Memory limit of the engine, in bytes. Heavy queries over tens of millions of entries take 2 to 3 GB; a scan of a
 * million files stays far below. The limit is half of what this process may use, also in a container, and isn't normally
 * reached.
 */
export const memoryCeiling = (available = machine().memory.bytes): number =>
  Math.floor(Math.min(available / 2, 4 * gigabyte))

/** Size of the mark cache (positions of data within a table), in bytes; the engine's own default is 5 GB. */
const markCache = gigabyte / 16

/** Memory limit of the engine in bytes, settings of every connection, and a configuration file, which makes it a cluster in tests. */
export type OpenOptions = {
  memory?: number | undefined
  settings?: Record<string, string> | undefined
  configuration?: string | undefined
}

/**
 * Compiling the expressions of a commit takes longer than it saves, also for a million files: 0.5 s of processor time in the third to
 * fifth scan after each start.
 */
export const uncompiled: Record<string, string> = {
  compile_expressions: '0',
  compile_aggregate_expressions: '0',
  compile_sort_description: '0',
}

/** Opens the embedded engine on an absolute folder. A process can open one folder, and a folder only one process. */
export function openEmbedded(
  folder: string,
  { memory = memoryCeiling(), settings = {}, configuration }: OpenOptions = {},
): Address {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const nice = niceness()
  const engine = startEngine(folder, memory, nice, configuration)
  return {
    nice,
    connect: (nice = 0) =>
      createClient({
        connection: connectionTo(folder) as unknown as ClientConnection,
        clickhouse_settings: nice === 0 ? settings : { ...settings, ...uncompiled, os_thread_priority: String(nice) },
      }),
    intoFile: writtenByEngine,
    insertBlock: readFromFile(join(folder, 'blocks')),
    async close() {
      engine.close()
      await chdb().drainPending()
    },
  }
}

/** Starts the engine with the first session on a folder; later sessions ignore these arguments. */
function startEngine(folder: string, memory: number, nice: number, configuration: string | undefined): Chdb.Session {
  const connectionArgs = [
    ...(configuration === undefined ? [] : [`--config-file=${configuration}`]),
    `--max_server_memory_usage=${memory}`,
    `--mark_cache_size=${markCache}`,
    `--os_threads_nice_value_merge_mutate=${nice}`,
    // A cgroup counts other processes too, and without cgroups the engine prints a stack trace. Its allocator counts
    // its own memory.
    '--memory_worker_use_cgroup=0',
  ]
  try {
    return new (chdb().Session)(folder, { connectionArgs })
  } catch (cause) {
    throw new Error(`ClickHouse can't open ${folder}: ${startFailure(folder, connectionArgs)}`, { cause })
  }
}

/**
 * The engine's own reason. Its errors have none; it only prints one, so another process tries the same and what that
 * prints is read.
 */
function startFailure(folder: string, connectionArgs: string[]): string {
  const attempt = `import { Session } from ${JSON.stringify(import.meta.resolve('chdb'))}
    try { new Session(${JSON.stringify(folder)}, ${JSON.stringify({ connectionArgs })}) } finally { process.exit(0) }`
  const options = { encoding: 'utf8', timeout: 30_000 } as const
  const { stderr = '' } = spawnSync(process.execPath, ['--input-type=module', '--eval', attempt], options)
  const [, reason = ''] = /DB::Exception: ([^\n]*?)\.? *(?:\([A-Z_]+\))? *(?:\n|$)/.exec(stderr) ?? []
  if (/time zone/i.test(reason)) return `${reason}. Set TZ to the name of a time zone, such as Europe/Berlin`
  if (/Another server instance/i.test(reason)) return 'another process uses it'
  return cleanText(reason, 500) || "it didn't report a reason. Check that the disk is writable and has free space"
}

type Connection = ReturnType<typeof ChdbConnection.createChdbConnection>
/** Same declarations as in the binding, from the client's own copy. */
type ClientConnection = NonNullable<NonNullable<Parameters<typeof createClient>[0]>['connection']>
type Statement = Parameters<Connection['query']>[0]

/**
 * A connection that sets parameters in its own session, as `SET param_p0 = …, param_p1 = …` before the statement. The
 * binding's own method runs all statements with parameters one after another, so a heavy one would block all others.
 */
function connectionTo(folder: string): Connection {
  const connection = chdbConnection().createChdbConnection({ path: folder })
  const exec = connection.exec.bind(connection)
  const command = connection.command.bind(connection)
  connection.exec = (statement) => exec(withParametersSet(statement))
  connection.command = (statement) => command(withParametersSet(statement))
  return connection
}

function withParametersSet<S extends Statement>({ query_params = {}, ...statement }: S) {
  const formatted = Object.entries(query_params).map(([key, value]) => [key, formatQueryParams({ value })] as const)
  return { ...statement, query: setParameters(formatted) + statement.query }
}

/** Sets parameters, in the encoding of ClickHouse's HTTP interface, for the next statements. */
export const setParameters = (parameters: readonly (readonly [name: string, value: string])[]): string =>
  chunksOf(
    parameters.map(([name, value]) => `param_${name} = ${literal(value)}`),
    (parameter) => parameter,
  )
    .map((piece) => `SET ${piece.join(', ')}; `)
    .join('')

/**
 * Linux nice value for threads of heavy work, -20 to 19. With 5 they get a quarter of contended processor time; with 10
 * heavy queries took up to twice as long with eight clients.
 */
const yielding = 5

/**
 * Nice value for threads of an engine in this process; 0 if the process may not raise and lower it again. The engine
 * tries if it has the capability SYS_NICE, which is not enough in a container with its own user namespace, where the
 * attempt ends the process. So a separate process tries it first, once for all engines.
 */
export const niceness = (): number => (knownNiceness ??= tryNiceness())
let knownNiceness: number | undefined

function tryNiceness(): number {
  const tried = `const { setPriority } = require('node:os'); setPriority(${yielding}); setPriority(0)`
  return spawnSync(process.execPath, ['--eval', tried]).status === 0 ? yielding : 0
}
