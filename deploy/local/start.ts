import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { productName, readConfig } from '#server/config.ts'
import { serve } from '#server/serve.ts'
import { addFirstStorage } from './addFirstStorage.ts'
import { buildClient } from './buildClient.ts'
import { startLocalStores } from './stores/index.ts'

/**
 * `npm start [-- FOLDER]`: the embedded stores, the client, the server with its agent, and FOLDER as the first file
 * storage. Ctrl-C stops all of it, the server first and the stores last. A restart is the same, after which the program takes
 * the place of this process: its number, its terminal and its address stay.
 */
const started = Date.now()
const say = (words: string) => console.log(words)
const folder = process.argv[2] === undefined ? undefined : existingFolder(process.argv[2])

const config = readConfig()
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
    await (stopping = stopAll(1))
  }
}

function signIn(password: string | undefined): string {
  if (password !== undefined) return `Sign in as admin with the password ${password} (shown this once)`
  return 'Sign in as admin with the password of the first start'
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

function existingFolder(path: string): string {
  const folder = resolve(process.env['INIT_CWD'] ?? '.', path)
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return folder
  console.error(`There is no folder ${folder}`)
  process.exit(1)
}
