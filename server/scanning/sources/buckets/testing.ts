import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

type Answer = { status: number; body: object }

/**
 * A fake Dropbox that exchanges one code once. `forms` are the forms it received; if set, `answer` is its response to
 * every request.
 */
export async function startDropbox({ code, token }: { code: string; token: string }) {
  const known = { forms: [] as URLSearchParams[], isSpent: false, answer: undefined as Answer | undefined }
  const exchange = (form: URLSearchParams): Answer => {
    if (form.get('code') !== code || known.isSpent) {
      const said = `code ${form.get('code')} doesn't exist or has expired.`
      return { status: 400, body: { error: 'invalid_grant', error_description: said } }
    }
    known.isSpent = true
    return { status: 200, body: { access_token: 'short', token_type: 'bearer', refresh_token: token } }
  }
  const server = createServer(async (req, res) => {
    const form = new URLSearchParams(await text(req))
    known.forms.push(form)
    const { status, body } = known.answer ?? (req.url === '/oauth2/token' ? exchange(form) : { status: 404, body: {} })
    res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const close = async () => {
    server.close()
    server.closeAllConnections()
    await once(server, 'close')
  }
  return Object.assign(known, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close })
}
