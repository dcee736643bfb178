import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { testPort } from './testFile.ts'

/** An endpoint for OAuth tokens on this machine. It records the forms it gets; tests change its response. */
export async function testTokenServer() {
  const forms: Record<string, string>[] = []
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      forms.push(Object.fromEntries(new URLSearchParams(body)))
      response.writeHead(tokens.status, { 'Content-Type': 'application/json' }).end(JSON.stringify(tokens.answer))
    })
  })
  const tokens = {
    url: `http://127.0.0.1:${await testPort(server)}/token`,
    forms,
    status: 200,
    answer: { access_token: 'token-1', expires_in: 3_599 } as object,
  }
  return tokens
}
