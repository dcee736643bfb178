import { type OpenApi, type Operation, type Parameter, resolveParameter } from './openApi.ts'

/**
 * One shell line that makes a call with an API token in `$TOKEN`, with its required parameters. Undefined if tokens can't
 * make it.
 */
export function curlOf(method: string, path: string, operation: Operation, document: OpenApi, origin: string) {
  const { security, requestBody } = operation
  const isOpen = security.length === 0
  if (!isOpen && !security.some((way) => 'token' in way)) return undefined
  const body = requestBody?.content['application/json']?.example
  return [
    'curl',
    ...(method === 'GET' ? [] : [`-X ${method}`]),
    ...(isOpen ? [] : ['-H "Authorization: Bearer $TOKEN"']),
    ...(body === undefined ? [] : ["-H 'Content-Type: application/json'", `-d ${quoted(JSON.stringify(body))}`]),
    ...(isFile(operation) ? ['-OJ'] : []),
    quoted(`${origin}${addressOf(path, operation, document)}`),
  ].join(' ')
}

const isFile = ({ responses }: Operation): boolean => {
  const content = responses['200']?.content
  return content !== undefined && !('application/json' in content)
}

function addressOf(path: string, { parameters }: Operation, document: OpenApi): string {
  const required = parameters
    .map((parameter) => resolveParameter(parameter, document))
    .filter(({ required }) => required)
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(textOf(required, name)))
  const query = new URLSearchParams(
    required.filter((one) => one.in === 'query').map(({ name }) => [name, textOf(required, name)]),
  )
  return query.size > 0 ? `${filled}?${query}` : filled
}

const textOf = (parameters: Parameter[], name: string): string =>
  String(parameters.find((parameter) => parameter.name === name)?.example ?? name)

/** A word of a shell command. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`
