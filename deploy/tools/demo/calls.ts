import { csrfCookie, csrfHeader } from '#events/users/session.ts'

type Method = 'GET' | 'POST' | 'PUT'

/** Makes calls of the product as a browser does. Throws for any answer but 200, with the answer. */
export type Call = <Answer>(method: Method, path: string, body?: unknown) => Promise<Answer>

/** Signs in as a user, and returns calls with the session. */
export async function signIn(address: string, name: string, password: string): Promise<Call> {
  const cookies = new Map<string, string>()
  const call: Call = async <Answer>(method: Method, path: string, body?: unknown) => {
    const headers = {
      cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      [csrfHeader]: decodeURIComponent(cookies.get(csrfCookie) ?? ''),
      'content-type': 'application/json',
    }
    const options = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) }
    const response = await fetch(`${address}/api${path}`, options)
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      cookies.set(name, value)
    }
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path} was answered with ${response.status}: ${text}`)
    return (text === '' ? undefined : JSON.parse(text)) as Answer
  }
  await call('GET', '/loginInfo')
  await call('POST', '/login', { name, password })
  return call
}
