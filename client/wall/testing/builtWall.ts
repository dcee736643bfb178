import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Node, parse } from 'acorn'
import { buildClient } from '#deploy/local/buildClient.ts'
import { clientFolder } from '#server/platform/http/clientFiles.ts'

/** A file of the built wall. */
type BuiltFile = { name: string; text: string }
export type BuiltScript = BuiltFile & { isModule: boolean }

const read = (name: string): BuiltFile => ({ name, text: readFileSync(join(clientFolder, name), 'utf8') })

/** Scripts and style sheets that the page of the wall loads, including style elements. */
export async function builtWall(): Promise<{ scripts: BuiltScript[]; styles: BuiltFile[] }> {
  await buildClient(() => {})
  const { text: page } = read('wall.html')
  const scripts = [...page.matchAll(/<script([^>]*) src="([^"]+)"/g)].map(([, attributes = '', name = '']) => ({
    ...read(name),
    isModule: attributes.includes('type="module"'),
  }))
  const sheets = [...page.matchAll(/<link rel="stylesheet"[^>]* href="([^"]+)"/g)].map(([, name = '']) => read(name))
  const inline = [...page.matchAll(/<style[^>]*>([^<]*)/g)].map(([, text = '']) => ({ name: 'wall.html', text }))
  return { scripts, styles: [...sheets, ...inline] }
}

/** Reads a script as a browser of 2019 does: no syntax newer than 2018. Throws a `SyntaxError` with its position. */
export const readAsIn2018 = ({ text, isModule }: BuiltScript): Node =>
  parse(text, { ecmaVersion: 2018, sourceType: isModule ? 'module' : 'script' })

type AnyNode = Node & Record<string, unknown>
const isNode = (value: unknown): value is AnyNode => typeof (value as AnyNode | null)?.type === 'string'

/** All nodes of a syntax tree, but none inside nodes of the types in `closed`. */
export function nodesOf(root: Node, closed = /^$/): AnyNode[] {
  const nodes: AnyNode[] = []
  const open: unknown[] = [root]
  while (open.length > 0) {
    const value = open.pop()
    if (Array.isArray(value)) open.push(...value)
    if (!isNode(value)) continue
    nodes.push(value)
    if (!closed.test(value.type)) open.push(...Object.values(value))
  }
  return nodes
}
