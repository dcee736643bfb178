/** A person's browser without a screen: it keeps cookies by host and follows links and forms of the provider. */
export function person() {
  const jars = new Map<string, Map<string, string>>()

  async function request(url: string, form?: Record<string, string>): Promise<Response> {
    const { host } = new URL(url)
    const jar = jars.get(host) ?? new Map<string, string>()
    jars.set(host, jar)
    const response = await fetch(url, {
      redirect: 'manual',
      headers: {
        cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; '),
        'user-agent': 'Mozilla/5.0 (X11; Linux x86_64)',
      },
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    })
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      if (value && !/expires=Thu, 01 Jan 1970/i.test(cookie)) jar.set(name, value)
      else jar.delete(name)
    }
    return response
  }

  /** Follows redirects until a page, or until `stop` matches; returns the address. */
  async function follow(url: string, form?: Record<string, string>, stop = (_: string) => false) {
    let at = url
    let response = await request(at, form)
    for (let location = response.headers.get('location'); location; location = response.headers.get('location')) {
      at = new URL(location, at).href
      if (stop(at)) return { at, text: '' }
      response = await request(at)
    }
    return { at, text: await response.text() }
  }

  /** Signs in with the provider's two forms; returns the product's page reached at the end. */
  async function signIn(link: string, name: string, stop?: (url: string) => boolean): Promise<string> {
    let page = await follow(link, undefined, stop)
    const forms = [{ prompt: 'login', login: name, password: 'any' }, { prompt: 'consent' }]
    for (const form of forms) {
      const [, action] = /<form[^>]* action="([^"]+)"/.exec(page.text) ?? []
      if (action) page = await follow(new URL(action, page.at).href, form, stop)
    }
    return page.at
  }

  const cookie = (host: string, name: string) => jars.get(host)?.get(name)
  return { request, follow, signIn, cookie }
}
