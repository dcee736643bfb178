import { productName } from '#server/platform/config.ts'
import { curlOf } from './curlOf.ts'
import { type OpenApi, type Operation, type Parameter, resolveParameter } from './openApi.ts'
import { escape, proseHtml, schemaHtml, tableHtml, typeHtml } from './schemaHtml.ts'

type Place = { origin: string; base: string }
type Call = { method: string; path: string; operation: Operation }

/** The documented calls as a page with a search, light and dark, readable on narrow screens. */
export function docsPage(document: OpenApi, nonce: string, { origin, base }: Place): string {
  const { info, servers, tags, components } = document
  const address = `${origin}${base}${servers[0]?.url ?? ''}`
  const calls = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )
  const groups = tags.map(({ name }) => name)
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>${escape(info.title)}</title><style nonce="${nonce}">${fontFace(base)}${style}</style>
<script src="${base}/api/docs/search.js" defer></script></head>
<body><header><a href="${base}/">${productName}</a><a href="${base}/help">Help</a></header><main><h1>${escape(info.title)}</h1>${introduction(info.description, address, base)}
<search><input type="search" aria-label="Search calls" placeholder="Search calls, such as csv or projects"></search>
<p id="none" role="status"></p>
<nav aria-label="Groups">${groups.map((name) => `<a href="#${idOf(name)}">${escape(name)}</a>`).join(' ')}</nav>
${groups.map((name) => groupHtml(name, calls, document, address)).join('\n')}
<section><h2 id="schemas">Schemas</h2>${Object.entries(components.schemas).map(schemaSection).join('')}</section>
</main></body></html>`
}

const introduction = (description: string, address: string, base: string) => `
<p>Create a token in <a href="${base}/settings/tokens">Settings, Tokens</a>, then try a call:</p>
<pre tabindex="0">TOKEN=…
curl -H "Authorization: Bearer $TOKEN" '${escape(address)}/v1/storages'</pre>
<p>${proseHtml(description)}</p>
<p>For tools: <a href="${base}/api/docs/openapi.json">openapi.json</a> (OpenAPI 3.1). For people: <a href="${base}/help/use-the-api">Use the API</a>.</p>`

const idOf = (name: string): string => name.toLowerCase().replace(/\W+/g, '-')

const groupHtml = (name: string, calls: Call[], document: OpenApi, address: string): string =>
  `<section><h2 id="${idOf(name)}">${escape(name)}</h2>${calls
    .filter(({ operation }) => operation.tags.includes(name))
    .map((call) => callHtml(call, document, address))
    .join('')}</section>`

function callHtml({ method, path, operation }: Call, document: OpenApi, address: string): string {
  const { operationId, summary, description, requestBody, responses } = operation
  const curl = curlOf(method, path, operation, document, address)
  const body = requestBody?.content['application/json']?.schema
  const answer = responses['200']?.content?.['application/json']?.schema
  return `<details id="${operationId}"><summary><b>${method}</b> <code>${escape(path)}</code> <span>${escape(summary)}</span></summary>
<p>${escape(description)}</p>${curl ? `<pre tabindex="0">${escape(curl)}</pre>` : ''}
${parametersHtml(operation.parameters.map((parameter) => resolveParameter(parameter, document)))}
${body ? `<h3>Body</h3>${schemaHtml(body, true)}` : ''}${answer ? `<h3>Answer</h3>${schemaHtml(answer, false)}` : ''}</details>`
}

/** The header of browsers is explained at the top. */
function parametersHtml(parameters: Parameter[]): string {
  const rows = parameters
    .filter((parameter) => parameter.in !== 'header')
    .map(
      ({ name, in: place, required, schema, description }) =>
        `<tr><td><code>${escape(name)}</code>${required ? ' required' : ''}</td><td>${place}</td><td>${typeHtml(
          schema,
        )}${defaultText(schema.default)}</td><td>${escape(description)}</td></tr>`,
    )
  return rows.length === 0 ? '' : `<h3>Parameters</h3>${tableHtml(['Name', 'In', 'Type', 'Meaning'], rows)}`
}

const defaultText = (value: unknown): string =>
  value === undefined || value === '' ? '' : `, default <code>${escape(String(value))}</code>`

const schemaSection = ([name, schema]: [string, Parameters<typeof schemaHtml>[0]]): string =>
  `<details id="${name}"><summary><code>${escape(name)}</code></summary>${
    schema.description ? `<p>${proseHtml(schema.description)}</p>` : ''
  }${schemaHtml(schema, false)}</details>`

const fontFace = (base: string): string =>
  `@font-face{font-family:Inter;font-weight:100 900;font-display:swap;src:url(${base}/api/docs/inter.woff2) format('woff2') tech(variations)}`

const style = `:root{color-scheme:light dark;--line:light-dark(#e1e5ea,#272d37);--soft:light-dark(#f5f6f8,#0b0d11);--surface:light-dark(#fff,#12151b);--link:light-dark(#1d5fd6,#5b9dff);--quiet:light-dark(#48525f,#a9b1bd)}
body{margin:0;background:var(--soft);color:light-dark(#14181f,#e6e9ef);font:14px/1.5 Inter,system-ui,sans-serif}
header{display:flex;gap:16px;align-items:center;min-height:48px;padding:0 24px;border-bottom:1px solid var(--line);background:var(--surface)}header a{padding:4px 0;text-decoration:none}header a:first-child{color:inherit;font-weight:600}
main{max-width:1000px;margin:0 auto;padding:24px 16px}h1{font-size:24px}h2{font-size:18px;margin-top:32px}h3{font-size:14px;margin:16px 0 4px}
a{color:var(--link)}nav{display:flex;flex-wrap:wrap;gap:4px 12px}nav a{padding:4px 0}code,pre{font:13px/1.45 ui-monospace,monospace;overflow-wrap:anywhere}
input{width:100%;box-sizing:border-box;padding:10px 12px;border:1px solid light-dark(#858f9c,#626d7d);border-radius:4px;background:var(--surface);color:inherit;font:inherit}
details{border:1px solid var(--line);border-radius:6px;background:var(--surface);margin:8px 0;padding:0 12px;scroll-margin-top:16px}summary{padding:10px 0;cursor:pointer;overflow-wrap:anywhere}
summary b{display:inline-block;min-width:60px}summary span{display:block;color:var(--quiet)}pre{background:var(--surface);border:1px solid var(--line);border-radius:6px;padding:12px;white-space:pre-wrap}details pre{background:var(--soft)}
table{border-collapse:collapse;width:100%;margin-bottom:12px}th,td{text-align:left;padding:4px 12px 4px 0;vertical-align:top;overflow-wrap:anywhere}th{color:var(--quiet);font-weight:500}
[hidden]{display:none}@media(width<600px){thead{display:none}td{display:block;padding:0}tr{display:block;padding:6px 0;border-bottom:1px solid var(--line)}}`
