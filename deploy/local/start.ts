import { statSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { productName, readConfig } from '#server/config.ts'
import { serve } from '#server/serve.ts'
import { buildClient } from './buildClient.ts'
import { startLocalStores } from './stores/index.ts'
import { changeIn } from '#server/platform/log/change.ts'
import { system } from '#server/platform/log/eventLog.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { createPriceBook } from '#server/price-books/index.ts'
import { queueScans } from '#server/scans/index.ts'
import { createFileStorage } from '#server/sources/index.ts'

/**
 * The product as `npm start [-- FOLDER]` runs it: the embedded stores, the client, the server with its agent, and FOLDER as the first file
 * storage. Ctrl-C stops all of it, the server first and the stores last. A restart is the same, after which the program takes
 * the place of this process: its number, its terminal and its address stay.
 */
const started = Date.now()
const say = (words: string) => console.log(words)
/** What ended a start is to be put right before another one: nobody starts it again by itself. */
const couldNotStart = 2

const folder = process.argv[2] === undefined ? undefined : existingFolder(process.argv[2])
const config = settings()
const stops: (() => Promise<void>)[] = []
let stopping: Promise<void> | undefined
let isWanted = true
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    isWanted = false
    stopping ??= stopAll()
  })

try {
  const stores = await startLocalStores(config, say)
  stops.push(stores.stop)
  await buildClient(say)
  const server = await serve(config, stores, () => void restart(server.address))
  stops.push(server.stop)
  if (folder !== undefined) await addFirstStorage(server.platform.db, folder, say)
  const seconds = ((Date.now() - started) / 1000).toFixed(1)
  say(`\n${productName} is ready after ${seconds} s: ${server.address}`)
  say(signIn(server.adminPassword))
  say('Ctrl-C stops it.')
} catch (error) {
  if (!stopping) {
    console.error(error instanceof Error ? error.message : error)
    await (stopping = stopAll(couldNotStart))
  }
}

function signIn(password: string | undefined): string {
  if (password !== undefined) return `Sign in as admin with the password ${password} (shown only once)`
  return 'Sign in as admin with the password shown at the first start'
}

async function stopAll(code = 0): Promise<void> {
  say('\nStopping')
  await endParts()
  process.exit(code)
}

async function endParts(): Promise<void> {
  for (const stop of stops.toReversed()) await stop().catch((error: unknown) => console.error(error))
}

async function restart(address: string): Promise<void> {
  if (stopping) return
  say('\nRestarting')
  await (stopping = endParts())
  if (!isWanted) process.exit(0)
  const { port } = new URL(address)
  const words = [process.execPath, ...process.execArgv, ...process.argv.slice(1)]
  process.execve?.(process.execPath, words, { ...process.env, PORT: port })
}

function settings() {
  try {
    return readConfig()
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exit(couldNotStart)
  }
}

function existingFolder(path: string): string {
  const folder = resolve(process.env['INIT_CWD'] ?? '.', path)
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return folder
  console.error(`There is no folder ${folder}`)
  process.exit(couldNotStart)
}

/** Adds the folder as a file storage and scans it, unless it is one already. */
async function addFirstStorage(db: Db, folder: string, say: (words: string) => void): Promise<void> {
  const known = await db
    .selectFrom('volumes')
    .select('name')
    .where('path', '=', folder)
    .where('deletedAt', 'is', null)
    .executeTakeFirst()
  if (known) return say(`${folder} is already the file storage ${known.name}`)
  const storagePrice = { id: await freePriceBook(db) }
  const name = await freeName(db, basename(folder) || 'root')
  const id = await createFileStorage(db, { name, path: folder, storagePrice })
  await queueScans(db, { volumeIds: [id], cloneIndex: true, by: system })
  say(`Scanning ${folder}`)
}

/** The price book of a storage that nobody named a price for: it costs nothing, until somebody changes that. */
async function freePriceBook(db: Db): Promise<number> {
  const noCosts = { description: 'No costs', currencySymbol: '$', price: 0, classPrices: [] }
  const known = await db
    .selectFrom('storagePrices')
    .select('id')
    .where('description', '=', noCosts.description)
    .executeTakeFirst()
  return known?.id ?? db.transaction().execute((trx) => createPriceBook(changeIn(trx, system), noCosts))
}

async function freeName(db: Db, wanted: string): Promise<string> {
  const rows = await db.selectFrom('volumes').select('name').where('deletedAt', 'is', null).execute()
  const taken = new Set(rows.map(({ name }) => name.toLowerCase()))
  let name = wanted
  for (let i = 2; taken.has(name.toLowerCase()); i++) name = `${wanted} ${i}`
  return name
}
