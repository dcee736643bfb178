import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { testFolder } from '#server/platform/testing/stores.ts'
import { atEndOfFile } from '#server/platform/testing/testFile.ts'

/** The parts of the configuration that name places in a container. */
type Configuration = {
  host: string
  port: number
  http?: string
  jetstream: { store_dir: string }
  tls?: { cert_file: string; key_file: string }
}

/**
 * Starts a nats-server with the created configuration, on a free port and in folders of this machine. `restart` reads the
 * configuration again, and keeps port and streams.
 */
export async function natsHere(secrets: string, natsProgram: string) {
  const folder = testFolder('compose-nats')
  let port = -1
  let child: ChildProcess | undefined
  const start = async () => {
    const created = JSON.parse(readFileSync(join(secrets, 'nats_configuration'), 'utf8')) as Configuration
    const { http: _, tls, ...others } = created
    const here = { ...others, host: '127.0.0.1', port, jetstream: { ...others.jetstream, store_dir: folder } }
    const certificate = { cert_file: join(secrets, 'nats_cert'), key_file: join(secrets, 'nats_key') }
    const file = join(folder, 'nats.conf')
    writeFileSync(file, JSON.stringify({ ...here, ...(tls && { tls: { ...tls, ...certificate } }) }))
    child = spawn(natsProgram, ['--config', file], { stdio: ['ignore', 'ignore', 'pipe'] })
    port = await untilReady(child)
  }
  const stop = async () => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGTERM')
    await once(child, 'exit')
  }
  atEndOfFile(stop)
  await start()
  return {
    port,
    async restart() {
      await stop()
      await start()
    },
  }
}

async function untilReady({ stderr }: ChildProcess): Promise<number> {
  const lines: string[] = []
  let port = 0
  for await (const line of createInterface(stderr!)) {
    lines.push(line)
    port = Number(/Listening for client connections on 127\.0\.0\.1:(\d+)/.exec(line)?.[1] ?? port)
    if (!line.includes('Server is ready')) continue
    stderr?.resume()
    return port
  }
  throw new Error(`nats-server ended:\n${lines.join('\n')}`)
}
