import { mkdirSync } from 'node:fs'
import { totalmem } from 'node:os'
import { join } from 'node:path'
import { type ClickHouseClient, createClient } from '@clickhouse/client'
import { formatQueryParams } from '@clickhouse/client-common'
import { drainPending, Session } from 'chdb'
import { createChdbConnection } from 'chdb/connection'
import { type BlockWay, readFromFile } from './blocks.ts'
import { chunksOf } from './chunks.ts'
import { type Destination, writtenByEngine } from './destination.ts'
import { literal } from './sql.ts'
import { spawnSync } from 'node:child_process'

/** How one ClickHouse is reached: the only difference between the embedded engine and a server. */
export type Address = {
  /** A connection whose statements run in threads of that nice value. */
  connect(nice?: number): ClickHouseClient
  /** The nice value for threads of what may take long; 0 where the engine's are not ours to set. */
  nice: number
  /** How an answer comes into a file of this machine. */
  intoFile(path: string): Destination<void>
  insertBlock: BlockWay
  close(): Promise<void>
}

// A statement holds a thread of the pool while it runs. The pool is made at its first use, so this must be loaded early.
process.env['UV_THREADPOOL_SIZE'] ??= '16'

const gigabyte = 1024 ** 3

/**
 * Bytes that the engine may hold at most. Heavy questions over tens of millions of entries take 2 to 3 GB; a scan of a
 * million files stays far below, so the ceiling is there to leave room to others, not to be reached.
 */
export const memoryCeiling = (): number => Math.floor(Math.min(totalmem() / 2, 4 * gigabyte))

/** Where in a table what lies; the engine's own limit is 5 GB. */
const markCache = gigabyte / 16

/** The ceiling of the engine's memory in bytes, and settings of every connection. */
export type Opening = { memory?: number | undefined; settings?: Record<string, string> | undefined }

/** The engine inside this process, on an absolute folder; a process holds one folder and a folder one process. */
export function openEmbedded(folder: string, { memory = memoryCeiling(), settings = {} }: Opening = {}): Address {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const nice = niceness()
  const engine = startEngine(folder, memory, nice)
  return {
    nice,
    connect: (nice = 0) =>
      createClient({
        connection: connectionTo(folder) as unknown as ClientConnection,
        clickhouse_settings: { ...settings, ...(nice !== 0 && { os_thread_priority: String(nice) }) },
      }),
    intoFile: writtenByEngine,
    insertBlock: readFromFile(join(folder, 'blocks')),
    async close() {
      engine.close()
      await drainPending()
    },
  }
}

/** The first session on a folder starts the engine; later ones ignore these arguments. */
function startEngine(folder: string, memory: number, nice: number): Session {
  const connectionArgs = [
    `--max_server_memory_usage=${memory}`,
    `--mark_cache_size=${markCache}`,
    `--os_threads_nice_value_merge_mutate=${nice}`,
    // A cgroup counts other processes too, and without cgroups the engine prints a stack trace. Its allocator counts its own memory.
    '--memory_worker_use_cgroup=0',
  ]
  try {
    return new Session(folder, { connectionArgs })
  } catch (cause) {
    throw new Error(`ClickHouse cannot open ${folder}: does another process use it?`, { cause })
  }
}

type Connection = ReturnType<typeof createChdbConnection>
/** The same declarations as the binding's, in the client's own copy. */
type ClientConnection = NonNullable<NonNullable<Parameters<typeof createClient>[0]>['connection']>
type Statement = Parameters<Connection['query']>[0]

/**
 * A connection that sets parameters in its own session, as `SET param_p0 = …, param_p1 = …` before the statement. The
 * binding's own way runs all statements with parameters of the process one after another: a heavy one would keep every other
 * waiting.
 */
function connectionTo(folder: string): Connection {
  const connection = createChdbConnection({ path: folder })
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

/** Sets parameters, given as they would stand in an address of ClickHouse's HTTP interface, for what follows. */
export const setParameters = (parameters: readonly (readonly [name: string, value: string])[]): string =>
  chunksOf(
    parameters.map(([name, value]) => `param_${name} = ${literal(value)}`),
    (parameter) => parameter,
  )
    .map((piece) => `SET ${piece.join(', ')}; `)
    .join('')

/**
 * How far what may take long yields the processor to what someone waits for: Linux' nice value of its threads, -20 to 19. With 5
 * they get a quarter of what they contend for; with 10 heavy questions took up to twice as long again beside eight clients.
 */
const yielding = 5

/**
 * Nice value for threads of an engine in this process; 0 where the process may not raise it and lower it again. The engine tries if it
 * has the capability SYS_NICE, which is not enough in a container with its own user namespace: there it ends the process. So a process of
 * its own tries it first, once for all engines.
 */
export const niceness = (): number => (knownNiceness ??= tryNiceness())
let knownNiceness: number | undefined

function tryNiceness(): number {
  const tried = `const { setPriority } = require('node:os'); setPriority(${yielding}); setPriority(0)`
  return spawnSync(process.execPath, ['--eval', tried]).status === 0 ? yielding : 0
}
