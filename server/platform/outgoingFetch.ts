import { type IncomingMessage, request as plainRequest } from 'node:http'
import { request as safeRequest } from 'node:https'
import { machine } from '#events/node/index.ts'
import { newJsonMeter, TooLong } from '#events/node/jsonMeter.ts'
import { newProxiedAgent, proxyFailure } from '#events/node/proxiedAgent.ts'
import { type Proxy, proxyFor, type ProxySettings } from '#events/node/proxy.ts'

/** Bytes of a response, unpacked, and limits of its JSON: keys, tokens and claims take less. */
const maxBytes = 4 * 1024 * 1024
const jsonLimits = { depth: 64, values: 200_000 }

/**
 * `fetch` for requests to other services: through the proxy of the environment, unless the host is excepted. Redirects
 * are never followed. Responses arrive whole. Throws `ProxyFailed` if the proxy fails, and `TooLong`.
 */
export async function outgoingFetch(
  address: string | URL,
  init: RequestInit = {},
  proxies: ProxySettings = machine().proxies,
): Promise<Response> {
  const url = new URL(address)
  const proxy = proxyFor(proxies, url)
  if (!proxy) return readDirect(await fetch(url, { redirect: 'manual', ...init }))
  const request = new Request(url, init)
  const body = Buffer.from(await request.arrayBuffer())
  const response = await send(request, body, proxy).catch((error: unknown) => {
    throw proxyFailure(error, proxy, url.hostname)
  })
  const status = response.statusCode ?? 0
  if (init.redirect === 'error' && status >= 300 && status < 400) throw new TypeError('unexpected redirect')
  return whole(await contentOf(response as AsyncIterable<Uint8Array>), status, headersOf(response))
}

/** Reads a response, which `fetch` unpacks. */
async function readDirect({ body, status, headers }: Response): Promise<Response> {
  const content = body ? await contentOf(body) : new Uint8Array()
  return whole(content, status, new Headers([...headers].filter(([name]) => !/^content-(encoding|length)$/.test(name))))
}

function whole(content: Uint8Array, status: number, headers: Headers): Response {
  const hasBody = content.length > 0 && ![204, 205, 304].includes(status)
  return new Response(hasBody ? new Uint8Array(content) : null, { status, headers })
}

function send({ url, method, headers, signal }: Request, body: Buffer, proxy: Proxy): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const isSafe = url.startsWith('https:')
  const options = {
    agent: newProxiedAgent(proxy, isSafe),
    method,
    headers: { ...Object.fromEntries(headers), ...(body.length > 0 && { 'content-length': String(body.length) }) },
    signal,
  }
  const sent = (isSafe ? safeRequest : plainRequest)(url, options, resolve)
  sent.on('error', reject).end(body)
  return promise
}

async function contentOf(response: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const meter = newJsonMeter(jsonLimits)
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response) {
    bytes += chunk.length
    if (bytes > maxBytes) throw new TooLong(`More than ${maxBytes / 1024 ** 2} MB`)
    meter.add(chunk)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function headersOf({ headers }: IncomingMessage): Headers {
  const copy = new Headers()
  for (const [name, values = []] of Object.entries(headers))
    for (const value of [values].flat()) copy.append(name, value)
  return copy
}
