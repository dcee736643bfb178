import { Readable } from 'node:stream'
import { confirmCode, confirmIdentity, csrfCookie, csrfHeader } from '#events/users/session.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** Makes a call of the product as a browser does. */
export type Call = (method: Method, path: string, body?: unknown) => Promise<{ status: number; answer: unknown }>

/** Makes a call, and throws unless it succeeds. */
export type Must = <Answer = unknown>(...call: Parameters<Call>) => Promise<Answer>

export const mustOf =
  (call: Call): Must =>
  async <Answer>(...input: Parameters<Call>) => {
    const { status, answer } = await call(...input)
    if (status >= 400) throw new Error(`${input[0]} ${input[1]} was answered with ${status}: ${JSON.stringify(answer)}`)
    return answer as Answer
  }

/** Signs in before the first call, and confirms who the user is if necessary. `cookies` has the browser's cookies. */
export function signIn(
  address: string,
  who: { name: string; password: string },
  cookies = new Map<string, string>(),
): Call {
  const request: Call = async (method, path, body) => {
    const headers = {
      cookie: cookieHeader(cookies),
      [csrfHeader]: decodeURIComponent(cookies.get(csrfCookie) ?? ''),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    }
    const response = await fetch(`${address}/api${path}`, {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      cookies.set(name, value)
    }
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.startsWith('application/json')
    return { status: response.status, answer: isJson ? JSON.parse(text) : text }
  }
  let signing: Promise<unknown> | undefined
  const begin = async () => {
    await request('GET', '/loginInfo')
    await request('POST', '/login', who)
  }
  return async (method, path, body) => {
    await (signing ??= begin())
    const response = await request(method, path, body)
    if ((response.answer as { code?: unknown } | undefined)?.code !== confirmCode) return response
    await request('POST', confirmIdentity.path, { password: who.password })
    return request(method, path, body)
  }
}

/** Posts a file to a path of the API by a token. */
export const postFile = (address: string, path: string, token: string, file: Readable): Promise<Response> =>
  fetch(`${address}/api${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: Readable.toWeb(file) as ReadableStream,
    duplex: 'half',
  } as RequestInit)

export const cookieHeader = (cookies: ReadonlyMap<string, string>): string =>
  [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
