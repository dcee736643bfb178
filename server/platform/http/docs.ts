import { Router } from 'express'
import type { Endpoint } from '#events/contract/endpoint.ts'
import { nonceOf } from './headers.ts'
import { placeIn } from './place/placeIn.ts'
import { openApi, type OpenApi, type Operation } from './openapi.ts'

/** Serves `/openapi.json` and a page to read it, both made from the declared calls. */
export function docs(endpoints: readonly Endpoint[]): Router {
  const document = openApi(endpoints)
  const router = Router()
  router.get('/openapi.json', (_, res) => void res.json(document))
  router.get('/', (req, res) => void res.type('html').send(docsPage(document, nonceOf(res), placeIn(req, res).base)))
  return router
}

/** The documented calls as a page without scripts, light and dark, readable on narrow screens. */
export const docsPage = ({ info, servers, paths }: OpenApi, nonce: string, base = ''): string => {
  const calls = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )
  const tags = [...new Set(calls.flatMap(({ operation }) => operation.tags))].sort()
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>${text(info.title)} · Calls</title><style nonce="${nonce}">${style}</style></head>
<body><main><h1>${text(info.title)} · Calls</h1><p>${text(info.description)}</p>
<p>All paths begin with <code>${text(base + (servers[0]?.url ?? ''))}</code>. For programs: <a href="${base}/api/docs/openapi.json">openapi.json</a> (OpenAPI 3.1).</p>
<nav aria-label="Groups">${tags.map((tag) => `<a href="#${text(tag)}">${text(tag)}</a>`).join(' ')}</nav>
${tags.map((tag) => group(tag, calls)).join('\n')}</main></body></html>`
}

type Call = { method: string; path: string; operation: Operation }

const group = (tag: string, calls: Call[]): string =>
  `<section><h2 id="${text(tag)}">${text(tag)}</h2>${calls
    .filter(({ operation }) => operation.tags.includes(tag))
    .map(call)
    .join('')}</section>`

const call = ({ method, path, operation }: Call): string => `<details><summary><b class="${method}">${method}</b>
<code>${text(path)}</code></summary><p>${text(operation.description)}</p>${parameters(operation)}
${schema('Body', operation.requestBody?.content)}${schema('Answer', operation.responses['200']?.content)}</details>`

function parameters({ parameters }: Operation): string {
  if (parameters.length === 0) return ''
  const rows = parameters.map(
    ({ name, in: place, required, schema }) =>
      `<tr><td><code>${text(name)}</code></td><td>${place}</td><td>${required ? 'required' : ''}</td><td><code>${text(
        JSON.stringify(schema),
      )}</code></td></tr>`,
  )
  return `<div class="wide"><table><thead><tr><th>Parameter</th><th>In</th><th></th><th>Schema</th></tr></thead><tbody>${rows.join('')}</tbody></table></div>`
}

function schema(title: string, content: Record<string, unknown> | undefined): string {
  const json = content?.['application/json'] as { schema: unknown } | undefined
  return json ? `<h3>${title}</h3><pre tabindex="0">${text(JSON.stringify(json.schema, null, 2))}</pre>` : ''
}

const text = (value: string): string => value.replace(/[&<>"']/g, (letter) => `&#${letter.codePointAt(0)};`)

const style = `:root{color-scheme:light dark;--line:light-dark(#d5d9e0,#3a3f47);--soft:light-dark(#f5f6f8,#1d2026);--link:light-dark(#0b57c2,#8ab8ff)}
body{margin:0;background:light-dark(#fff,#15171b);color:light-dark(#1b1f24,#e3e6ea);font:15px/1.5 system-ui,sans-serif}
main{max-width:960px;margin:0 auto;padding:32px 16px}h1{font-size:24px}h2{font-size:18px;margin-top:32px}h3{font-size:14px}
a{color:var(--link)}nav{display:flex;flex-wrap:wrap;gap:12px}code,pre{font:13px/1.45 ui-monospace,monospace}
details{border:1px solid var(--line);border-radius:8px;margin:8px 0;padding:0 12px}summary{padding:10px 0;cursor:pointer;overflow-wrap:anywhere}
summary b{display:inline-block;min-width:64px}pre,.wide{overflow:auto;background:var(--soft);border-radius:6px;padding:12px;max-height:420px}
table{border-collapse:collapse;width:100%}th,td{text-align:left;padding:4px 12px 4px 0;vertical-align:top}`
