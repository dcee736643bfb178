import { statSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { machine } from '#events/node/index.ts'
import { CannotStart, productName, readConfig } from '#server/platform/config.ts'
import { serve, stopLimitMs } from '#server/serve.ts'
import { signInText } from '#server/access/session/index.ts'
import { buildDerived } from './buildDerived.ts'
import { buildClient } from './buildClient.ts'
import { sendSignsOfLife } from './signsOfLife.ts'
import { type LocalStores, startLocalStores } from './stores/index.ts'
import {
  adoptFlag,
  demoFlag,
  exitNow,
  ignoreClosedTerminal,
  restartFlag,
  stopSignals,
  withoutOptions,
} from './terminal.ts'
import { agentProgram, demoConfig, demoPassword, refuseDemoFolder } from './demo/demoFolder.ts'
import { prepareDemo, startSystems } from './demo/prepare.ts'
import { changeIn } from '#server/platform/log/change.ts'
import { system } from '#server/platform/log/eventLog.ts'
import type { Db } from '#server/platform/postgres/postgres.ts'
import { createPriceBook } from '#server/content/price-books/index.ts'
import { queueScans } from '#server/scanning/scans/index.ts'
import { createFileStorage } from '#server/scanning/sources/index.ts'

/**
 * The product as run by `npm start [-- FOLDER] [--adopt]`: the embedded stores, the client, the server with its agent,
 * and FOLDER as the first file storage. `npm start -- --demo` has made-up data in a folder of its own instead. Ctrl-C,
 * or closing the terminal, stops everything, the server first and the stores last. A restart does the same, then the
 * program replaces this process, which keeps its ID, terminal and address.
 */
const started = Date.now()
const say = (message: string) => console.log(message)
/** Exit code of a start that can't succeed until someone changes something. The supervisor doesn't retry it. */
const couldNotStart = 2

/** Exit code of a start that failed for another reason, such as a full disk. The supervisor tries again. */
const mayEndByItself = 1

ignoreClosedTerminal()
sendSignsOfLife()
const adopt = process.argv.includes(adoptFlag)
const isRestart = process.argv.includes(restartFlag)
const isDemo = process.argv.includes(demoFlag)
const [path] = withoutOptions(process.argv.slice(2)).filter((word) => word !== demoFlag)
const folder = path === undefined ? undefined : existingFolder(path)
const config = settings()
const stops: (() => Promise<void>)[] = []
let isWanted = true
const interrupted = new AbortController()
let stopping: Promise<void> | undefined
const starting = start().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error)
  stopping ??= stopAll(isFinal(error) ? couldNotStart : mayEndByItself)
})
for (const signal of stopSignals)
  process.on(signal, () => {
    isWanted = false
    interrupted.abort()
    stopping ??= starting.then(() => stopAll())
  })

/** Starts everything, and records in `stops` how to stop it. Ends early if the product is to stop. */
async function start(): Promise<void> {
  if (isDemo) await prepareDemo(config, say, interrupted.signal)
  if (!isWanted) return
  const stores = await startLocalStores(config, say, { adopt, isRestart })
  let stopStores = stores.leave
  stops.push(() => stopStores())
  if (!isWanted) return
  if (stores.settingsFolder !== undefined)
    say(`Settings, users and projects are in ${stores.settingsFolder}, which the user of Postgres can enter`)
  await buildClient(say)
  buildDerived()
  if (!isWanted) return
  const parts = { ...stores, ...(isDemo && { agentProgram }) }
  const server = await serve(config, parts, () => void restart(server.address))
  stopStores = stores.stop
  stops.push(() => server.stop(stopLimitMs), stopWhenReplaced(stores))
  if (isDemo) stops.push(startSystems(config, server.address))
  if (folder !== undefined) await addFirstStorage(server.platform.db, folder, say)
  const seconds = ((Date.now() - started) / 1000).toFixed(1)
  say(`\n${productName} is ready after ${seconds} s: ${server.address}`)
  say(
    isDemo
      ? `This is a demo: its data is made up, and P5, StorNext, PowerScale, SODA and iconik are simulated. Sign in as admin with the password ${demoPassword}`
      : signInText(server.adminPassword),
  )
  say('Press Ctrl-C to stop.')
}

/** A taken address is the user's to change at the first start; a restarted server waits for it. */
function isFinal(error: unknown): boolean {
  const isAddressTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'
  return error instanceof CannotStart || (isAddressTaken && !isRestart)
}

async function stopAll(code = 0): Promise<void> {
  say('\nStopping')
  await endParts()
  exitNow(code)
}

async function endParts(): Promise<void> {
  for (const stop of stops.toReversed()) await stop().catch((error: unknown) => console.error(error))
}

/**
 * Stops the product if another folder takes the place of its data folder, such as a restored copy. Anything written
 * from then on would be lost.
 */
function stopWhenReplaced({ isFolderHeld }: Pick<LocalStores, 'isFolderHeld'>): () => Promise<void> {
  const timer = setInterval(() => {
    if (isFolderHeld()) return
    console.error(
      `The data folder ${config.data} was replaced while DataIntell was running. Stop DataIntell before you restore a copy.`,
    )
    stopping ??= stopAll(couldNotStart)
  }, 5_000)
  return async () => clearInterval(timer)
}

async function restart(address: string): Promise<void> {
  if (stopping) return
  say('\nRestarting')
  await (stopping = endParts())
  if (!isWanted) exitNow(0)
  const { port } = new URL(address)
  const args = [process.execPath, ...process.execArgv, ...withoutOptions(process.argv.slice(1))]
  process.execve?.(process.execPath, args, { ...process.env, PORT: port })
}

function settings() {
  try {
    machine()
    const config = readConfig()
    if (isDemo) return demoConfig(config)
    refuseDemoFolder(config)
    return config
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exit(couldNotStart)
  }
}

function existingFolder(path: string): string {
  if (isDemo) {
    console.error('The demo has storages of its own and scans no folder: start it with `npm start -- --demo` alone')
    process.exit(couldNotStart)
  }
  const folder = resolve(process.env['INIT_CWD'] ?? '.', path)
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return folder
  console.error(`The folder ${folder} does not exist`)
  process.exit(couldNotStart)
}

/** Adds the folder as a file storage and scans it, unless it is one already. */
async function addFirstStorage(db: Db, folder: string, say: (message: string) => void): Promise<void> {
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
  await queueScans(db, { ids: [id], cloneIndex: true, by: system })
  say(`Scanning ${folder}`)
}

/** The price book of a storage without a price: it costs nothing until a user changes that. */
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
