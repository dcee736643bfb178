import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import { testFolder } from '#server/platform/testing/stores.ts'
import { atEndOfFile } from '#server/platform/testing/testFile.ts'

/** A provider for a test, and its claims about users. */
type TestProvider = {
  issuer: string
  /** Sets the claims of a subject. */
  know(subject: string, claims: object): void
  /** Signs a token as the provider does. */
  sign(claims: JWTPayload): Promise<string>
  kill(): Promise<void>
  /** On the same port again. */
  start(): Promise<void>
}

/** Starts it for a product at an address; it ends with the test file. */
export async function startProvider(product: string): Promise<TestProvider> {
  const accounts = join(testFolder('provider'), 'accounts.json')
  const known: Record<string, object> = {}
  const know = (subject: string, claims: object) => {
    known[subject] = claims
    writeFileSync(accounts, JSON.stringify(known))
  }
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  const keys = join(testFolder('keys'), 'keys.json')
  writeFileSync(keys, JSON.stringify({ keys: [await exportJWK(privateKey)] }))
  const sign = (claims: JWTPayload) => new SignJWT(claims).setProtectedHeader({ alg: 'RS256' }).sign(privateKey)
  const args = [accounts, product, keys]
  let running = await begin('0', args)
  const kill = async () => {
    if (running.child.exitCode !== null || running.child.signalCode !== null) return
    running.child.kill('SIGKILL')
    await once(running.child, 'exit')
  }
  atEndOfFile(kill)
  const { issuer } = running
  const start = async () => {
    running = await begin(new URL(issuer).port, args)
  }
  return { issuer, know, sign, kill, start }
}

async function begin(port: string, args: string[]) {
  const program = join(import.meta.dirname, 'provider.ts')
  const child = spawn(process.execPath, [program, port, ...args], { stdio: ['ignore', 'pipe', 'ignore'] })
  for await (const line of createInterface(child.stdout)) {
    const [, issuer] = /^listens at (\S+)$/.exec(line) ?? []
    if (issuer) return { child, issuer }
  }
  throw new Error(`The provider ended with ${child.exitCode}`)
}
