import { Agent as HttpAgent, type AgentOptions, request as httpRequest } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import type { Socket } from 'node:net'
import { hostOfProxy, type Proxy } from './proxy.ts'

/** A proxy that can't be reached or refuses a request. The message names it and its variable, without its password. */
export class ProxyFailed extends Error {}

const tunnelMs = 30_000

/** An agent that sends requests to a proxy: plain ones directly, others through a tunnel. */
export function newProxiedAgent({ url }: Proxy, isSafe: boolean, options: AgentOptions = {}): HttpAgent {
  const proxyEnv = { HTTP_PROXY: url.href, HTTPS_PROXY: url.href }
  return isSafe ? new HttpsAgent({ ...options, proxyEnv }) : new HttpAgent({ ...options, proxyEnv })
}

/** Opens a connection to a host through a proxy, for an agent that does its own handshake. Throws `ProxyFailed`. */
export function openTunnel(proxy: Proxy, host: string, port: number): Promise<Socket> {
  const { url, variable } = proxy
  const { promise, resolve, reject } = Promise.withResolvers<Socket>()
  const target = `${host.includes(':') ? `[${host}]` : host}:${port}`
  const secret = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`
  const signIn = url.username ? { 'Proxy-Authorization': `Basic ${Buffer.from(secret).toString('base64')}` } : {}
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest
  const address = {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port || (url.protocol === 'https:' ? 443 : 80),
  }
  const request = send({
    ...address,
    method: 'CONNECT',
    path: target,
    headers: { Host: target, ...signIn },
    agent: false,
  })
  request.setTimeout(tunnelMs, () => request.destroy(new ProxyFailed(`${nameOf(proxy)} does not answer`)))
  request
    .once('connect', ({ statusCode = 0 }, socket, head) => {
      // The host may speak first, as mail servers do, and its words arrive together with the proxy's answer.
      if (head.length > 0) socket.unshift(head)
      if (statusCode >= 200 && statusCode < 300) return resolve(socket.setTimeout(0))
      socket.destroy()
      reject(refusal({ url, variable }, host, statusCode))
    })
    .once('error', (error) => reject(proxyFailure(error, proxy, host)))
    .end()
  return promise
}

/** Codes of connections that failed. Through a proxy it is always the connection to the proxy. */
const unreachable = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EAI_NODATA|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT)$/

/** Names the proxy in a failure that it caused; returns other errors unchanged. */
export function proxyFailure(error: unknown, proxy: Proxy, host: string): unknown {
  const { code = '', message = '' } = error as NodeJS.ErrnoException
  if (unreachable.test(code)) return new ProxyFailed(`${nameOf(proxy)} cannot be reached (${code})`, { cause: error })
  if (code !== 'ERR_PROXY_TUNNEL') return error
  return refusal(proxy, host, Number(/HTTP\/\d\.\d (\d{3})/.exec(message)?.[1] ?? 0))
}

function refusal(proxy: Proxy, host: string, status: number): ProxyFailed {
  if (status === 407)
    return new ProxyFailed(`${nameOf(proxy)} refused the user name and password in its address, or needs one`)
  return new ProxyFailed(`${nameOf(proxy)} did not connect to ${host}${status > 0 ? ` (status ${status})` : ''}`)
}

const nameOf = (proxy: Proxy): string => `The proxy ${hostOfProxy(proxy)} in ${proxy.variable}`
