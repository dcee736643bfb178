import { BlobServiceClient } from '@azure/storage-blob'
import { type ChildProcess, spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, expect, onTestFinished } from 'vitest'
import { azurite } from '#deploy/setup/azurite/azurite.ts'
import { findOrInstall } from '#deploy/setup/tool.ts'
import type { TransportOptions } from '../http/transport.ts'
import { ScanFailed } from '../system.ts'
import { type ContainerOptions, openAzure } from './index.ts'

export const account = 'plantedmedia'
export const accountKey = randomBytes(64).toString('base64')

/** Starts Azurite, Microsoft's emulator, on a free port of the loopback interface until the tests of the file end. */
export async function startAzurite() {
  const folder = mkdtempSync(join(tmpdir(), 'azurite-'))
  const flags = ['--silent', '--skipApiVersionCheck', '--disableTelemetry', '--location', folder]
  const child = spawn(process.execPath, [findOrInstall(azurite), '--blobPort', '0', ...flags], {
    env: { PATH: process.env['PATH'], AZURITE_ACCOUNTS: `${account}:${accountKey}` },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  afterAll(async () => {
    await stop(child)
    rmSync(folder, { recursive: true, force: true })
  })
  const url = `${await addressOf(child)}/${account}`
  const connectionString = stringOf(url)
  const service = BlobServiceClient.fromConnectionString(connectionString)
  return {
    url,
    connectionString,
    service,
    /** Makes a container of blobs, each as long as its size says. */
    async fill(container: string, blobs: readonly { name: string; size: number }[]) {
      const { containerClient } = await service.createContainer(container)
      const left = [...blobs]
      const write = async () => {
        for (let blob = left.pop(); blob; blob = left.pop())
          await containerClient.getBlockBlobClient(blob.name).upload(contentOf(blob), blob.size)
      }
      await Promise.all(Array.from({ length: 8 }, write))
      return containerClient
    },
  }
}

export const stringOf = (url: string, key = accountKey) =>
  `DefaultEndpointsProtocol=http;AccountName=${account};AccountKey=${key};BlobEndpoint=${url};`

export const contentOf = ({ name, size }: { name: string; size: number }): Buffer => Buffer.alloc(size, name)
export const md5Of = (bytes: Buffer): string => createHash('md5').update(bytes).digest('hex')

async function addressOf(child: ChildProcess): Promise<string> {
  for await (const line of createInterface({ input: child.stdout as NodeJS.ReadableStream })) {
    const address = /listens on (http:\S+)/.exec(line)?.[1]
    if (address !== undefined) return address
  }
  throw new Error('Azurite did not start')
}

async function stop(child: ChildProcess) {
  if (child.exitCode === null && child.signalCode === null) await Promise.all([once(child, 'exit'), child.kill()])
}

/** A container that is open until the test ends. */
export function openContainer(options: Partial<ContainerOptions>, transport: TransportOptions = {}) {
  const opened = openAzure(
    { connectionString: '', container: 'media', prefix: '', ...options },
    { idleMs: 5_000, ...transport },
  )
  onTestFinished(() => opened.close())
  return opened
}

/** Why the first page of a container fails, which must name no key. */
export async function failure(options: Partial<ContainerOptions>, transport: TransportOptions = {}): Promise<string> {
  const error: unknown = await openContainer(options, transport)
    .page('', { idle: 0, signal: new AbortController().signal })
    .catch((error: unknown) => error)
  expect(error).toBeInstanceOf(ScanFailed)
  const shown = JSON.stringify([String(error), (error as Error).stack, { ...(error as Error) }])
  for (const part of (options.connectionString ?? '').split(';')) {
    const [, secret] = /^(?:AccountKey|SharedAccessSignature)=(.+)$/.exec(part) ?? []
    if (secret !== undefined) expect(shown).not.toContain(secret)
    const [, signature] = /\bsig=([^&]+)/.exec(part) ?? []
    if (signature !== undefined) expect(shown).not.toContain(signature)
  }
  return (error as Error).message
}
