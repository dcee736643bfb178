import { createServer } from 'node:http'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { mcpPath } from '#events/users/apiTokens.ts'
import { createApp } from '#server/app.ts'
import type { Platform } from '#server/platform/platform.ts'
import { atEndOfFile, testPort } from '#server/platform/testing/testFile.ts'
import { routesOf } from '#server/serve.ts'

/** The result of a tool; `text` is its text, as data if it is JSON. */
export type Result = {
  isError: boolean
  data: Record<string, unknown> & { rows: Record<string, unknown>[] }
  text: string
}

/** Serves all calls and the protocol at a port of this machine. */
export async function testMcp(platform: Platform) {
  const port = await testPort(createServer(createApp(platform, routesOf(platform))))
  const address = `http://127.0.0.1:${port}`
  const send = (token: string | undefined, body: unknown, headers: Record<string, string> = {}) =>
    fetch(`${address}${mcpPath}`, {
      method: 'POST',
      headers: {
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...headers,
      },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
  return { address, send }
}

/** A real client of the protocol's library with a token. */
export async function connect(address: string, token: string) {
  const client = new Client({ name: 'test', version: '1' })
  const transport = new StreamableHTTPClientTransport(new URL(`${address}${mcpPath}`), {
    requestInit: { headers: { authorization: `Bearer ${token}` } },
  })
  await client.connect(transport as Parameters<Client['connect']>[0])
  atEndOfFile(() => client.close())
  const ask = async (name: string, given: Record<string, unknown> = {}): Promise<Result> => {
    const { content, structuredContent, isError } = await client.callTool({ name, arguments: given })
    const [{ text = '' } = {}] = content as { text?: string }[]
    return { isError: isError === true, data: (structuredContent ?? {}) as Result['data'], text }
  }
  return { client, ask }
}
